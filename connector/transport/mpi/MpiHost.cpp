#include <ferry/connector/transport/mpi/MpiHost.hpp>

#include <bit>
#include <numeric>
#include <thread>

#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

std::vector<int> numbersIn(MPI_Comm communicator, MPI_Comm host) {
    MPI_Group hostGroup = MPI_GROUP_NULL;
    MPI_Group allGroup = MPI_GROUP_NULL;
    int count = 0;
    checkMpi(MPI_Comm_group(host, &hostGroup), "MPI_Comm_group", host);
    checkMpi(MPI_Comm_group(communicator, &allGroup), "MPI_Comm_group", communicator);
    checkMpi(MPI_Group_size(hostGroup, &count), "MPI_Group_size", host);
    std::vector<int> ranks(static_cast<std::size_t>(count));
    std::vector<int> numbers(ranks.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    checkMpi(MPI_Group_translate_ranks(hostGroup, count, numbers.data(), allGroup, ranks.data()), "MPI_Group_translate_ranks", host);
    checkMpi(MPI_Group_free(&hostGroup), "MPI_Group_free", host);
    checkMpi(MPI_Group_free(&allGroup), "MPI_Group_free", communicator);
    return ranks;
}

/// The number of processors on which any rank of the host may run. A launcher may have bound each rank to a processor of its own, so one
/// rank alone cannot tell.
std::size_t processorsOf(MPI_Comm host) {
    platform::Processors processors = platform::allowedProcessors();
    checkMpi(MPI_Allreduce(MPI_IN_PLACE, &processors, static_cast<int>(sizeof(processors)), MPI_BYTE, MPI_BOR, host), "MPI_Allreduce",
             host);
    int count = 0;
    for (const std::uint64_t each : processors) count += std::popcount(each);
    return count != 0 ? static_cast<std::size_t>(count) : std::thread::hardware_concurrency();
}

}    // namespace

MpiHost MpiHost::find(MPI_Comm communicator) {
    MPI_Comm host = MPI_COMM_NULL;
    checkMpi(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host), "MPI_Comm_split_type", communicator);
    MpiHost found{numbersIn(communicator, host)};
    found.isCrowded = found.ranks.size() > processorsOf(host);
    checkMpi(MPI_Comm_free(&host), "MPI_Comm_free", communicator);
    return found;
}

}    // namespace ferry::detail
