#include <ferry/connector/transport/mpi/calls/MpiText.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

constexpr std::size_t mostTextBytes = 4096;

void requireShort(const std::string& text) {
    if (text.size() >= mostTextBytes) throw UsageError("a text for all processes is too long");
}

}    // namespace

std::string mpiTextOfFirst(const std::string& text, MPI_Comm communicator) {
    std::array<char, mostTextBytes> bytes{};
    requireShort(text);
    std::copy(text.begin(), text.end(), bytes.begin());
    checkMpi(MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, communicator), "MPI_Bcast", communicator);
    bytes.back() = 0;
    return bytes.data();
}

std::vector<std::string> mpiTextsOfAll(const std::string& text, MPI_Comm communicator) {
    requireShort(text);
    int size = 1;
    checkMpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size", communicator);
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(static_cast<std::size_t>(size));
    checkMpi(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, communicator), "MPI_Allgather", communicator);
    std::vector<int> places(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
    std::string all(static_cast<std::size_t>(places.back() + lengths.back()), '\0');
    checkMpi(MPI_Allgatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, communicator),
             "MPI_Allgatherv", communicator);
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < lengths.size(); ++rank)
        texts.push_back(all.substr(static_cast<std::size_t>(places[rank]), static_cast<std::size_t>(lengths[rank])));
    return texts;
}

}    // namespace ferry::detail
