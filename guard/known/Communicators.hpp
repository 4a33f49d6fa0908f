#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/ArrivalTree.hpp>

namespace ferry::pmpi {

/// An epoch of a window that this rank has begun, by MPI_Win_start or MPI_Win_post, with some other ranks.
struct WindowEpoch {
    bool isOpen = false;
    std::uint32_t begunIn = 0;    ///< region; 0: outside of regions
    std::vector<int> peers{};     ///< ranks of the window
};

/// The guard's data about one communicator of the program.
struct Communicator {
    MPI_Comm handle = MPI_COMM_NULL;     ///< on which its ranks meet: of the program; for an intercommunicator, one of both groups
    MPI_Comm traffic = MPI_COMM_NULL;    ///< of the program, for its messages and calls
    std::int32_t id = 0;                 ///< equal on all ranks of the communicator, and unique among the communicators of each of them
    int rank = 0;                        ///< in `handle`, like all ranks here
    int size = 0;
    int peerCount = 0;                      ///< number of ranks to which the program can send
    int firstPeer = 0;                      ///< rank of the first of them
    std::uint64_t entered = 0;              ///< number of the guard's barriers before collectives
    std::uint64_t arrivalCount = 0;         ///< number of those barriers that used the memory of the host (arrivals)
    int slot = -1;                          ///< slot of the counters in HostMemory, equal on all ranks; -1: no counters
    bool isFreed = false;                   ///< freed by the program in a region; MPI frees it when all ranks have done so
    std::uint32_t usedIn = 0;               ///< last region in which this rank has sent on it or come to a collective
    std::vector<std::uint32_t> sentIn{};    ///< by rank: last region in which a message was sent to that rank
    std::uint32_t checkedFor = 0;           ///< meeting place for which the next two members hold; 0: none
    std::vector<int> regionRanks{};         ///< by rank: its rank in the meeting place; empty when some ranks are not in the meeting place
    ArrivalTree arrivals{};                 ///< of ranks that share memory
    // For the guard's communicator of a file or a window (FilesAndWindows):
    MPI_File file = MPI_FILE_NULL;
    MPI_Win window = MPI_WIN_NULL;
    WindowEpoch access{};            ///< begun by MPI_Win_start
    WindowEpoch exposure{};          ///< begun by MPI_Win_post
    std::uint32_t accessedIn = 0;    ///< last region in which this rank has accessed the window

    bool isInEpoch() const noexcept { return access.isOpen || exposure.isOpen; }
    bool isInter() const noexcept { return handle != traffic; }
    /// The rank that the program means; -1: none, such as MPI_PROC_NULL.
    int rankOf(int peer) const noexcept { return peer >= 0 && peer < peerCount ? firstPeer + peer : -1; }
};

/// The communicators of the program that can be used in regions: MPI_COMM_WORLD, MPI_COMM_SELF, and those made by calls that the guard
/// intercepts.
///
/// Threads: one at a time.
class Communicators {
public:
    /// The one object, which is never destroyed: static objects of the program, or its exit() handlers, may free communicators and finalise
    /// MPI.
    static Communicators& ofProcess();

    /// The data of a communicator. Null: the communicator is not known.
    Communicator* find(MPI_Comm handle) {
        if (last_ != nullptr && last_->traffic == handle) [[likely]]
            return last_;
        return look(handle);
    }

    /// Adds a communicator that was just made. Collective on it, for an intercommunicator on both groups. Does nothing for MPI_COMM_NULL,
    /// and for intercommunicators with processes that are not in MPI_COMM_WORLD. parent: the id of the communicator from which it was made;
    /// 0: none is known.
    void add(MPI_Comm handle, std::int32_t parent);
    // Steps that add a communicator whose ranks do not wait for each other (LaterCommunicator).
    /// The number that this rank proposes. The greatest one counts.
    std::int32_t proposedNumber() const noexcept { return nextNumber_; }
    /// Notes the agreed number. part: from 0 to 62, to tell communicators apart that are made at the same time. Returns the id.
    std::int32_t idFor(std::int32_t number, std::uint64_t part);
    /// Keeps the id for a communicator. False: another communicator has it.
    bool reserve(std::int32_t id);
    /// Adds the communicator for which the id is kept, if all its ranks keep it. meeting: on which its ranks meet; the communicator itself,
    /// except for an intercommunicator.
    void addReserved(MPI_Comm handle, MPI_Comm meeting, std::int32_t id, bool haveAll);

    /// Whether all its processes are in MPI_COMM_WORLD, in both groups of an intercommunicator. Waits for no other rank.
    static bool isWithinWorld(MPI_Comm handle);
    /// Whether an unknown communicator may be compared with MPI_COMM_WORLD: no communicator was foreign so far.
    bool mayCompareUnknown() const noexcept { return !hasForeign_; }
    /// The rank in MPI_COMM_WORLD of a rank of a communicator; -1: the process is not there. Waits for no other rank.
    static int rankInWorld(MPI_Comm handle, int rank);
    /// Notes a communicator whose group may come from a session, or one that is made from such a communicator. The guard does not know its
    /// ranks: MPI forbids to compare the groups of a session with those of MPI_COMM_WORLD, and MPICH 5 then aborts.
    void noteForeign(MPI_Comm handle);
    bool isForeign(MPI_Comm handle) const { return foreign_.count(handle) != 0; }
    /// Removes a communicator; to be called before it is freed.
    void remove(MPI_Comm handle);

    /// The communicator with this id; null: there is none. Ranks that meet on one communicator after the other, in the order of ids, cannot
    /// deadlock. A communicator that is made meanwhile has a higher id than its parent.
    Communicator* withId(std::int32_t id);
    /// The ids of the communicators for which isChosen(communicator) holds.
    template <class IsChosen>
    std::vector<std::int32_t> idsOf(IsChosen isChosen) const {
        std::vector<std::int32_t> ids;
        for (const auto& [id, communicator] : all_) {
            if (isChosen(communicator)) ids.push_back(id);
        }
        return ids;
    }

private:
    Communicator* look(MPI_Comm handle);
    Communicator* insert(MPI_Comm traffic, MPI_Comm handle, std::int32_t id, int slot);

    std::map<std::int32_t, Communicator> all_;    // by id
    std::unordered_map<MPI_Comm, Communicator*> byHandle_;
    Communicator* last_ = nullptr;
    std::int32_t nextNumber_ = 1;    // for the ids after those of MPI_COMM_WORLD and MPI_COMM_SELF
    int addsUnderWay_ = 0;           // calls of add(), by several threads
    std::set<std::int32_t> reserved_;
    std::unordered_set<MPI_Comm> foreign_;
    bool hasForeign_ = false;    // now or before
};

}    // namespace ferry::pmpi
