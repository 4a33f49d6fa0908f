#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/ArrivalTree.hpp>

namespace ferry::pmpi {

/// What the guard knows of one communicator of the program.
struct Communicator {
    MPI_Comm handle = MPI_COMM_NULL;
    std::int32_t id = 0;    ///< the same on all its ranks, of no other communicator of any of them
    int rank = 0;
    int size = 0;
    std::uint64_t entered = 0;              ///< barriers of the guard before collectives
    std::uint64_t arrivalCount = 0;         ///< those of them that were in memory: arrivals
    int slot = -1;                          ///< for counters in HostMemory, the same on all its ranks; -1: it has none
    bool isFreed = false;                   ///< by the program, in a region; freed indeed when all its ranks have done so
    std::uint32_t usedIn = 0;               ///< the region in which this rank has sent on it, or come to a collective, last
    std::vector<std::uint32_t> sentIn{};    ///< for each rank: the region in which something was sent there last
    std::uint32_t checkedFor = 0;           ///< the channel for which the next two lines hold; 0: none
    std::vector<int> regionRanks{};         ///< for each rank: its rank there; empty when some are not there
    ArrivalTree arrivals{};                 ///< of ranks that share memory
    // Of the guard, for a file or a window (FilesAndWindows):
    MPI_File file = MPI_FILE_NULL;
    MPI_Win window = MPI_WIN_NULL;
    int epochCount = 0;              ///< of locks, posts and starts that are open on this rank
    std::uint32_t accessedIn = 0;    ///< the region in which this rank has accessed the window last
};

/// The communicators of the program that can be used in regions: MPI_COMM_WORLD, MPI_COMM_SELF, and those that were made by calls which
/// the guard sees.
///
/// Threads: one at a time.
class Communicators {
public:
    /// Never destroyed: static objects of the program, or its handlers of exit(), may free communicators and finalise MPI.
    static Communicators& ofProcess();

    /// Null when it is not known.
    Communicator* find(MPI_Comm handle) {
        if (last_ != nullptr && last_->handle == handle) [[likely]]
            return last_;
        return look(handle);
    }

    /// Takes in a communicator that was made just now. Collective on it; does nothing for MPI_COMM_NULL and intercommunicators.
    void add(MPI_Comm handle);
    /// Before it is freed.
    void remove(MPI_Comm handle);

    /// Null when there is none. Ranks that meet on one communicator after the other in the order of their ids do so without a deadlock; one
    /// that is made meanwhile comes after the one that it is made from.
    Communicator* withId(std::int32_t id);
    /// Those for which isChosen(communicator) holds.
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
    Communicator* insert(MPI_Comm handle, std::int32_t id, int slot);

    std::map<std::int32_t, Communicator> all_;    // by id
    std::unordered_map<MPI_Comm, Communicator*> byHandle_;
    Communicator* last_ = nullptr;
    std::int32_t nextId_ = 2;    // after those of MPI_COMM_WORLD and MPI_COMM_SELF
};

}    // namespace ferry::pmpi
