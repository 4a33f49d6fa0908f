#pragma once

#include <cstdint>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// The locks of windows that this process holds, in regions and outside of them.
///
/// No rank can be woken while it waits for a lock in the MPI library. So a rank that fails, or hears of a failure, gives its locks back
/// before it meets the others: then the ranks that wait for them go on, and come to the meeting.
///
/// Threads: one at a time.
class WindowLocks {
public:
    static constexpr int allTargets = -1;    ///< of MPI_Win_lock_all

    static WindowLocks& ofProcess();

    /// Notes a lock that the program has got. kind, assertion: as the program gave them.
    void note(MPI_Win window, int target, int kind, int assertion);
    /// Removes a lock that the program gives back. False: release() has given it back, so that MPI must not be asked.
    bool remove(MPI_Win window, int target);
    bool isAnyHeld(MPI_Win window) const noexcept;
    /// Forgets a window, before it is freed.
    void forget(MPI_Win window);

    /// The number of the lock that was noted last.
    std::uint64_t lastNumber() const noexcept { return lastNumber_; }
    /// Gives all locks back to MPI. The accesses to their windows are then over.
    void release();
    /// Gets the locks up to this number again, which the program had before the region. No other rank has a lock that excludes them.
    void restore(std::uint64_t lastNumber);

private:
    struct Lock {
        MPI_Win window = MPI_WIN_NULL;
        int target = allTargets;
        int kind = MPI_LOCK_SHARED;
        int assertion = 0;
        std::uint64_t number = 0;    ///< in the order of this process, from 1
        bool isHeld = true;          ///< false: given back by release()
    };

    std::vector<Lock> all_;
    std::uint64_t lastNumber_ = 0;
};

}    // namespace ferry::pmpi
