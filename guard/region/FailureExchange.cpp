#include <ferry/guard/region/FailureExchange.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::pmpi {

namespace {

constexpr int root = 0;

/// The places of the ranks' ints in the ints of all ranks, on the root.
struct Layout {
    std::vector<int> counts;
    std::vector<int> places;
    std::vector<std::int32_t> ints;
};

std::vector<std::int32_t> packed(const std::vector<detail::FailureRecord>& records) {
    IntBuffer buffer;
    IntWriter out(buffer);
    out << records;
    out.finish();
    buffer.makeOwned();
    const std::span<const std::int32_t> ints = buffer.ints();
    return {ints.begin(), ints.end()};
}

std::vector<detail::FailureRecord> unpacked(std::span<const std::int32_t> ints, int size) {
    std::vector<detail::FailureRecord> records;
    IntReader in(ints, ObjectFactory::global());
    in >> records;
    in.expectEnd();
    for (const detail::FailureRecord& record : records) {
        if (!detail::hasValidRanks(record) || record.ranks.back() >= size)
            throw SerializationError("expected ascending ranks of a failure at the end of a guarded region");
    }
    return records;
}

std::vector<detail::FailureRecord> recordsOfCurrent(int rank) { return detail::recordsOf(std::current_exception(), rank, 0); }

/// The ints that a rank sends. Their number is limited, so that the ints of all ranks can be counted in an int.
std::vector<std::int32_t> packedWithin(std::size_t limit, const std::vector<detail::FailureRecord>& own, int rank) {
    if (own.empty()) return {};
    std::vector<std::int32_t> ints = packed(own);
    if (ints.size() <= limit) return ints;
    const UsageError large(fmt::format("a failure in a guarded region is too large to travel: {} ints", ints.size()));
    return packed(detail::recordsOf(std::make_exception_ptr(large), rank, own.front().clock));
}

std::vector<detail::FailureRecord> merged(const Layout& layout, int size) {
    std::vector<detail::FailureRecord> all;
    for (int rank = 0; rank < size; ++rank) {
        const auto place = static_cast<std::size_t>(rank);
        if (layout.counts[place] == 0) continue;
        const auto first = static_cast<std::size_t>(layout.places[place]);
        try {
            detail::mergeRecords(all,
                                 unpacked(std::span(layout.ints).subspan(first, static_cast<std::size_t>(layout.counts[place])), size));
        } catch (const std::exception&) {    // the other ranks wait for the list
            detail::mergeRecords(all, recordsOfCurrent(rank));
        }
    }
    if (all.empty()) {
        const UsageError lost("an exception that ends the guarded region was caught inside of the region: let it leave the region");
        all = detail::recordsOf(std::make_exception_ptr(lost), root, 0);
    }
    return all;
}

/// The ints of all ranks together. An exception in here ends the job, since the other ranks wait for this rank.
std::vector<std::int32_t> exchangeInts(MPI_Comm communicator, const std::vector<detail::FailureRecord>& own, int rank, int size) noexcept {
    const auto limit = static_cast<std::size_t>(std::numeric_limits<int>::max() / size);
    const std::vector<std::int32_t> sent = packedWithin(limit, own, rank);
    const int sentCount = static_cast<int>(sent.size());
    Layout layout;
    layout.counts.resize(rank == root ? static_cast<std::size_t>(size) : 0);
    must(PMPI_Gather(&sentCount, 1, MPI_INT, layout.counts.data(), 1, MPI_INT, root, communicator), "MPI_Gather");
    layout.places.resize(layout.counts.size());
    std::exclusive_scan(layout.counts.begin(), layout.counts.end(), layout.places.begin(), 0);
    if (rank == root) layout.ints.resize(static_cast<std::size_t>(layout.places.back()) + static_cast<std::size_t>(layout.counts.back()));
    must(PMPI_Gatherv(sent.data(), sentCount, MPI_INT32_T, layout.ints.data(), layout.counts.data(), layout.places.data(), MPI_INT32_T,
                      root, communicator),
         "MPI_Gatherv");
    std::vector<std::int32_t> common;
    if (rank == root) common = packed(merged(layout, size));
    int commonCount = static_cast<int>(common.size());
    must(PMPI_Bcast(&commonCount, 1, MPI_INT, root, communicator), "MPI_Bcast");
    common.resize(static_cast<std::size_t>(commonCount));
    must(PMPI_Bcast(common.data(), commonCount, MPI_INT32_T, root, communicator), "MPI_Bcast");
    return common;
}

}    // namespace

std::vector<detail::FailureRecord> exchangeFailures(MPI_Comm communicator, const std::vector<detail::FailureRecord>& own) {
    int rank = 0;
    int size = 0;
    must(PMPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
    must(PMPI_Comm_size(communicator, &size), "MPI_Comm_size");
    return unpacked(exchangeInts(communicator, own, rank, size), size);
}

}    // namespace ferry::pmpi
