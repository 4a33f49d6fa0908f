#include <ferry/guard/meeting/HostPeers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <ferry/connector/transport/SharedMemory.hpp>
#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

namespace {

/// The data that the ranks of a host exchange.
struct Introduction {
    detail::SharedMemory::Address address;
    std::int64_t rank = 0;              // rank in the meeting place
    std::array<char, 64> hostName{};    // up to the first zero, or the end
};

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

Introduction introduceMyself(int rank) {
    Introduction own;
    if (variable("FERRY_HOST_MEMORY") != "off") own.address = HostMemory::ofProcess().address();
    own.rank = rank;
    variable("FERRY_GUARD_HOST").copy(own.hostName.data(), own.hostName.size());
    return own;
}

}    // namespace

HostPeers::HostPeers(MPI_Comm communicator, int rank, int size)
    : pages_(static_cast<std::size_t>(size)),
      processes_(static_cast<std::size_t>(size)) {
    if (size == 1) return;
    MPI_Comm host = MPI_COMM_NULL;
    must(PMPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host), "MPI_Comm_split_type");
    meet(host, rank);
    must(PMPI_Comm_free(&host), "MPI_Comm_free");
}

void HostPeers::meet(MPI_Comm host, int rank) {
    int size = 0;
    must(PMPI_Comm_size(host, &size), "MPI_Comm_size");
    const Introduction own = introduceMyself(rank);
    std::vector<Introduction> all(static_cast<std::size_t>(size));
    must(PMPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, host), "MPI_Allgather");
    int isReached = 1;
    for (const Introduction& peer : all) {
        if (peer.hostName != own.hostName || own.address == detail::SharedMemory::Address{}) continue;
        HostMemory::Page* const page = HostMemory::ofProcess().pageAt(peer.address);
        pages_[static_cast<std::size_t>(peer.rank)] = page;
        processes_[static_cast<std::size_t>(peer.rank)] = peer.address.process;
        if (page == nullptr) isReached = 0;
    }
    int areAllReached = 0;
    must(PMPI_Allreduce(&isReached, &areAllReached, 1, MPI_INT, MPI_MIN, host), "MPI_Allreduce");
    if (areAllReached == 0) std::fill(pages_.begin(), pages_.end(), nullptr);
}

ArrivalTree HostPeers::treeFor(const Communicator& communicator) const {
    if (communicator.slot < 0 || communicator.regionRanks.empty()) return {};
    std::vector<HostMemory::Page*> pages;
    for (const int rank : communicator.regionRanks) {
        HostMemory::Page* const page = pages_[static_cast<std::size_t>(rank)];
        if (page == nullptr) return {};
        pages.push_back(page);
    }
    return {communicator.rank, pages, communicator.slot};
}

}    // namespace ferry::pmpi
