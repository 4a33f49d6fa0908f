// The calls of MPI about communicators that ferry_pmpi intercepts.
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/ranksIn.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/region/GroupGate.hpp>
#include <ferry/guard/region/MadeHandles.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::Communicator;
using ferry::pmpi::Communicators;
using ferry::pmpi::GroupGate;
using ferry::pmpi::MadeCommunicator;
using ferry::pmpi::MeetingPlace;
using ferry::pmpi::must;
using ferry::pmpi::Operation;
using ferry::pmpi::refuse;
using ferry::pmpi::Region;
using ferry::pmpi::Turn;

namespace {

void forget(MPI_Comm communicator) {
    if (communicator == MPI_COMM_NULL) return;
    MeetingPlace::close(communicator);
    Communicators::ofProcess().remove(communicator);
}

constexpr const char* groupsRefused = "not all ranks of a known communicator take part";

/// The ranks of the group in MPI_COMM_WORLD; empty: some are not there.
std::vector<int> ranksInWorld(MPI_Group group) {
    MPI_Group world = MPI_GROUP_NULL;
    must(PMPI_Comm_group(MPI_COMM_WORLD, &world), "MPI_Comm_group");
    std::vector<int> ranks = ferry::pmpi::ranksIn(world, group);
    must(PMPI_Group_free(&world), "MPI_Group_free");
    if (std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) != ranks.end()) return {};
    return ranks;
}

/// Makes a communicator by a call of these ranks of MPI_COMM_WORLD, when all have come. For a region around a program, which is on that
/// communicator.
template <class Call>
int makeInGroup(const char* name, MPI_Comm parent, const std::vector<int>& ranks, std::optional<int> otherLeader, int tag, MPI_Comm* made,
                Call call) {
    const Turn turn(name);
    Region& region = *activeRegion;
    *made = MPI_COMM_NULL;
    if (!region.admits(parent)) return region.answer();
    CallRing::ofProcess().note({.name = name});
    GroupGate gate(region.meetingPlace(), ranks, tag, otherLeader);
    const std::vector<Operation> awaited = gate.awaited();
    if (!region.waitUntil({.call = name, .operations = awaited}, [&] { return gate.isOver(); })) return region.fail(parent);
    const int result = [&] {
        const Turn::Pause pause;
        return call();
    }();
    return MadeCommunicator::notedInProgram(result, made);
}

/// Makes a communicator where the guard does not know the ranks of the call, or outside of regions.
template <class Call>
int makePlain(const char* name, MPI_Comm parent, MPI_Comm* made, Call call) {
    if (activeRegion != nullptr) {
        if (const auto refused = refuse(name, groupsRefused)) return *refused;
    }
    if (Communicators::ofProcess().isForeign(parent)) return MadeCommunicator::notedForeign(call(), made);
    if (activeRegion == nullptr) return MadeCommunicator::noted(MPI_COMM_NULL, call(), made);
    return MadeCommunicator::notedInProgram(call(), made);
}

bool isInter(MPI_Comm communicator) {
    int isOne = 1;
    return PMPI_Comm_test_inter(communicator, &isOne) != MPI_SUCCESS || isOne != 0;
}

}    // namespace

int MPI_Comm_create_group(MPI_Comm communicator, MPI_Group group, int tag, MPI_Comm* made) {
    constexpr const char* name = "MPI_Comm_create_group";
    const auto call = [&] { return PMPI_Comm_create_group(communicator, group, tag, made); };
    const bool isComparable = communicator != MPI_COMM_NULL && !Communicators::ofProcess().isForeign(communicator);
    if (activeRegion != nullptr && activeRegion->isAroundProgram() && isComparable) {
        const std::vector<int> ranks = ranksInWorld(group);
        if (!ranks.empty()) return makeInGroup(name, communicator, ranks, std::nullopt, tag, made, call);
    }
    return makePlain(name, communicator, made, call);
}

int MPI_Intercomm_create(MPI_Comm local, int localLeader, MPI_Comm peers, int remoteLeader, int tag, MPI_Comm* made) {
    constexpr const char* name = "MPI_Intercomm_create";
    const auto call = [&] { return PMPI_Intercomm_create(local, localLeader, peers, remoteLeader, tag, made); };
    if (activeRegion == nullptr || !activeRegion->isAroundProgram() || local == MPI_COMM_NULL || isInter(local) ||
        Communicators::ofProcess().isForeign(local))
        return makePlain(name, local, made, call);
    MPI_Group group = MPI_GROUP_NULL;
    must(PMPI_Comm_group(local, &group), "MPI_Comm_group");
    std::vector<int> ranks = ranksInWorld(group);
    must(PMPI_Group_free(&group), "MPI_Group_free");
    if (localLeader < 0 || static_cast<std::size_t>(localLeader) >= ranks.size()) return makePlain(name, local, made, call);
    std::rotate(ranks.begin(), ranks.begin() + localLeader, ranks.end());
    std::optional<int> otherLeader;
    const bool isLeader = ranks.front() == activeRegion->meetingPlace().rank();
    if (isLeader && peers != MPI_COMM_NULL && !isInter(peers) && !Communicators::ofProcess().isForeign(peers)) {
        const int other = Communicators::rankInWorld(peers, remoteLeader);
        if (other >= 0) otherLeader = other;    // otherwise the other group is of another program
    }
    return makeInGroup(name, local, ranks, otherLeader, tag, made, call);
}

/// In a region this call only marks the communicator and never waits, since destructors call it. The end of the region frees it.
int MPI_Comm_free(MPI_Comm* communicator) {
    if (activeRegion != nullptr) [[unlikely]] {
        const Turn turn("MPI_Comm_free");
        Communicator* known = Communicators::ofProcess().find(*communicator);
        if (known != nullptr && !activeRegion->isGuarding(*communicator)) {
            activeRegion->noteFreed(*known);
            *communicator = MPI_COMM_NULL;
            return MPI_SUCCESS;
        }
        const auto refused = refuse("MPI_Comm_free", "the communicator is that of the region, or is not known to the guard");
        if (refused) return *refused;
    }
    forget(*communicator);
    return PMPI_Comm_free(communicator);
}

/// In a region this call waits for the other ranks as MPI_File_close does: a failure meanwhile is thrown by the next call. Then the
/// communicator is only marked, since another rank may still be in the barrier.
int MPI_Comm_disconnect(MPI_Comm* communicator) {
    if (activeRegion != nullptr) [[unlikely]] {
        constexpr const char* name = "MPI_Comm_disconnect";
        const Turn turn(name);
        Communicator* known = Communicators::ofProcess().find(*communicator);
        if (known != nullptr && !activeRegion->isGuarding(*communicator)) {
            const int result = activeRegion->leave(name, *known, [] { return MPI_SUCCESS; });
            *communicator = MPI_COMM_NULL;
            return result;
        }
        if (const auto refused = refuse(name, "the communicator is that of the region, or is not known to the guard")) return *refused;
    }
    forget(*communicator);
    return PMPI_Comm_disconnect(communicator);
}
