#include <ferry/guard/meeting/JoinedCalls.hpp>

#include <cstddef>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

namespace {

constexpr int joinTag = 5;    // on the meeting place

}    // namespace

JoinedCalls::JoinedCalls(MPI_Comm communicator, int rank, int size)
    : communicator_(communicator),
      rank_(rank),
      sideMessages_(communicator, size, joinTag),
      toldCounts_(static_cast<std::size_t>(size)) {}

void JoinedCalls::beginRegion(std::int32_t region) {
    sideMessages_.beginRegion(region);
    toldCounts_.assign(toldCounts_.size(), 0);
}

void JoinedCalls::tell(const Communicator& communicator, std::uint64_t number) {
    for (const int rank : communicator.regionRanks) {
        if (rank == rank_) continue;
        sideMessages_.send(rank, {communicator.id, static_cast<std::int64_t>(number), 0, 0});
        ++toldCounts_[static_cast<std::size_t>(rank)];
    }
}

std::optional<JoinedCalls::Place> JoinedCalls::next() {
    const std::optional<SideMessages::SideMessage> sideMessage = sideMessages_.next();
    if (!sideMessage) return std::nullopt;
    return Place{static_cast<std::int32_t>(sideMessage->contents[0]), static_cast<std::uint64_t>(sideMessage->contents[1])};
}

MPI_Request JoinedCalls::startCount(int* count) {
    MPI_Request request = MPI_REQUEST_NULL;
    must(PMPI_Ireduce_scatter_block(toldCounts_.data(), count, 1, MPI_INT, MPI_SUM, communicator_, &request), "MPI_Ireduce_scatter_block");
    return request;
}

}    // namespace ferry::pmpi
