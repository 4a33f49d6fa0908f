// The calls of MPI for epochs of windows between some ranks (post, start, complete, wait) that ferry_pmpi intercepts.
#include <mpi.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/FilesAndWindows.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/ReservedTags.hpp>
#include <ferry/guard/known/ranksIn.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::Communicator;
using ferry::pmpi::FilesAndWindows;
using ferry::pmpi::must;
using ferry::pmpi::Operation;
using ferry::pmpi::refuse;
using ferry::pmpi::Region;
using ferry::pmpi::RequestKind;
using ferry::pmpi::ReservedTags;
using ferry::pmpi::Turn;
using ferry::pmpi::WindowEpoch;

// The library itself may wait in MPI_Win_start for the posts of other ranks, and there no rank can be woken. So each post is told by an
// empty message on the guard's communicator of the window, which MPI_Win_start awaits first.

namespace {

/// The ranks of the group, as ranks of the window.
std::vector<int> ranksOf(MPI_Group group, MPI_Win window) {
    MPI_Group all = MPI_GROUP_NULL;
    must(PMPI_Win_get_group(window, &all), "MPI_Win_get_group");
    std::vector<int> ranks = ferry::pmpi::ranksIn(all, group);
    must(PMPI_Group_free(&all), "MPI_Group_free");
    return ranks;
}

void takePosts(const Communicator& known, const std::vector<int>& targets) {
    for (const int rank : targets)
        must(PMPI_Recv(nullptr, 0, MPI_BYTE, rank, ReservedTags::post(), known.handle, MPI_STATUS_IGNORE), "MPI_Recv");
}

void tellPosts(const Communicator& known, const std::vector<int>& origins) {
    for (const int rank : origins) {
        MPI_Request request = MPI_REQUEST_NULL;
        must(PMPI_Isend(nullptr, 0, MPI_BYTE, rank, ReservedTags::post(), known.handle, &request), "MPI_Isend");
        must(PMPI_Request_free(&request), "MPI_Request_free");
    }
}

std::vector<Operation> operationsOf(RequestKind kind, const std::vector<int>& ranks, MPI_Comm handle) {
    std::vector<Operation> operations;
    for (const int rank : ranks) operations.push_back({kind, rank, MPI_ANY_TAG, handle});
    return operations;
}

void begin(WindowEpoch& epoch, std::vector<int> peers) {
    epoch = {true, activeRegion != nullptr ? activeRegion->serial() : 0, std::move(peers)};
}

/// Makes a call on a window in a region. guarded(region, known): the call on a window of which all ranks are in the region. plain(known):
/// the call as outside of regions; known may be null.
template <class Guarded, class Plain>
int onWindow(const char* name, MPI_Win window, Guarded guarded, Plain plain) {
    Communicator* const known = FilesAndWindows::ofProcess().ofWindow(window);
    if (activeRegion == nullptr) return plain(known);
    const Turn turn(name);
    Region& region = *activeRegion;
    if (!region.admits()) return region.answer();
    if (known == nullptr) {
        if (const auto refused = refuse(name, "the window is not known to the guard")) return *refused;
        return plain(known);
    }
    if (region.use(name, known->handle) == nullptr) return region.isPassing() ? plain(known) : MPI_ERR_OTHER;
    CallRing::ofProcess().note({.name = name, .communicator = known->id});
    return guarded(region, *known);
}

/// Refuses a call that ends an epoch from before the region. Empty: the call is to be made.
std::optional<int> refuseOlder(const char* name, const Region& region, const WindowEpoch& epoch) {
    if (!epoch.isOpen || epoch.begunIn >= region.serial()) return std::nullopt;
    return refuse(name, "the epoch of the window has begun before the region");
}

}    // namespace

int MPI_Win_post(MPI_Group group, int assertion, MPI_Win window) {
    const auto post = [&](Communicator* known) {
        const int result = PMPI_Win_post(group, assertion, window);
        if (result != MPI_SUCCESS || known == nullptr) return result;
        const std::vector<int> origins = ranksOf(group, window);
        tellPosts(*known, origins);
        begin(known->exposure, origins);
        return result;
    };
    constexpr const char* name = "MPI_Win_post";
    const auto guarded = [&](Region& region, Communicator& known) {
        for (const int rank : ranksOf(group, window)) region.noteSend(name, rank, ReservedTags::post(), known.handle);
        return post(&known);
    };
    return onWindow(name, window, guarded, post);
}

int MPI_Win_start(MPI_Group group, int assertion, MPI_Win window) {
    constexpr const char* name = "MPI_Win_start";
    const auto start = [&](Communicator* known) {
        if (known != nullptr) takePosts(*known, ranksOf(group, window));
        const int result = PMPI_Win_start(group, assertion, window);
        if (result == MPI_SUCCESS && known != nullptr) begin(known->access, ranksOf(group, window));
        return result;
    };
    const auto guarded = [&](Region& region, Communicator& known) {
        const std::vector<int> targets = ranksOf(group, window);
        const std::vector<Operation> awaited = operationsOf(RequestKind::Post, targets, known.handle);
        std::size_t next = 0;
        const auto haveAllPosted = [&] {
            for (int hasPosted = 1; next < targets.size() && hasPosted != 0; next += hasPosted != 0 ? 1 : 0)
                must(PMPI_Iprobe(targets[next], ReservedTags::post(), known.handle, &hasPosted, MPI_STATUS_IGNORE), "MPI_Iprobe");
            return next == targets.size();
        };
        if (!region.waitUntil({.call = name, .operations = awaited}, haveAllPosted)) return region.fail();
        return start(&known);
    };
    return onWindow(name, window, guarded, start);
}

int MPI_Win_complete(MPI_Win window) {
    constexpr const char* name = "MPI_Win_complete";
    const auto complete = [&](Communicator* known) {
        const int result = [&] {
            const Turn::Pause pause;
            return PMPI_Win_complete(window);
        }();
        if (result == MPI_SUCCESS && known != nullptr) known->access = {};
        return result;
    };
    const auto guarded = [&](Region& region, Communicator& known) {
        if (const auto refused = refuseOlder(name, region, known.access)) return *refused;
        return complete(&known);
    };
    return onWindow(name, window, guarded, complete);
}

int MPI_Win_wait(MPI_Win window) {
    constexpr const char* name = "MPI_Win_wait";
    const auto wait = [&](Communicator* known) {
        const int result = PMPI_Win_wait(window);
        if (result == MPI_SUCCESS && known != nullptr) known->exposure = {};
        return result;
    };
    const auto guarded = [&](Region& region, Communicator& known) {
        if (const auto refused = refuseOlder(name, region, known.exposure)) return *refused;
        const std::vector<Operation> awaited = operationsOf(RequestKind::Exposure, known.exposure.peers, known.handle);
        int isOver = 0;
        int result = MPI_SUCCESS;
        const auto areAllComplete = [&] {
            result = PMPI_Win_test(window, &isOver);
            return isOver != 0 || result != MPI_SUCCESS;
        };
        if (!region.waitUntil({.call = name, .operations = awaited}, areAllComplete)) return region.fail();
        if (result == MPI_SUCCESS) known.exposure = {};
        return result;
    };
    return onWindow(name, window, guarded, wait);
}

int MPI_Win_test(MPI_Win window, int* isOver) {
    constexpr const char* name = "MPI_Win_test";
    const auto test = [&](Communicator* known) {
        const int result = PMPI_Win_test(window, isOver);
        if (result == MPI_SUCCESS && *isOver != 0 && known != nullptr) known->exposure = {};
        return result;
    };
    const auto guarded = [&](Region& region, Communicator& known) {
        if (const auto refused = refuseOlder(name, region, known.exposure)) return *refused;
        const int result = test(&known);
        if (*isOver != 0) return result;
        const std::vector<Operation> awaited = operationsOf(RequestKind::Exposure, known.exposure.peers, known.handle);
        return region.lookInVain({.call = name, .operations = awaited}) ? region.fail() : result;
    };
    *isOver = 1;    // where the region has failed
    return onWindow(name, window, guarded, test);
}
