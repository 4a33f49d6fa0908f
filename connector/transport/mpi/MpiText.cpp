#include <ferry/connector/transport/mpi/MpiText.hpp>

#include <algorithm>
#include <array>

#include <ferry/connector/transport/mpi/MpiCheck.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

std::string mpiTextOfFirst(const std::string& text, MPI_Comm communicator) {
    std::array<char, 4096> bytes{};
    if (text.size() >= bytes.size()) throw UsageError("a text for all processes is too long");
    std::copy(text.begin(), text.end(), bytes.begin());
    checkMpi(MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, communicator), "MPI_Bcast", communicator);
    bytes.back() = 0;
    return bytes.data();
}

}    // namespace ferry
