// The calls of MPI for locks of windows that ferry_pmpi intercepts.
#include <mpi.h>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/FilesAndWindows.hpp>
#include <ferry/guard/known/WindowLocks.hpp>
#include <ferry/guard/region/Region.hpp>

using ferry::pmpi::activeRegion;
using ferry::pmpi::CallRing;
using ferry::pmpi::Communicator;
using ferry::pmpi::FilesAndWindows;
using ferry::pmpi::refuse;
using ferry::pmpi::Region;
using ferry::pmpi::Turn;
using ferry::pmpi::WindowLocks;

namespace {

constexpr const char* unknownWindow = "the window is not known to the guard";

/// Gets a lock by call(). No failure is heard while the library waits; but a rank that fails gives its own locks back.
template <class Call>
int lockGuarded(const char* name, MPI_Win window, int target, int kind, int assertion, Call call) {
    if (activeRegion == nullptr) {
        const int result = call();
        if (result == MPI_SUCCESS) WindowLocks::ofProcess().note(window, target, kind, assertion);
        return result;
    }
    const Turn turn(name);
    Region& region = *activeRegion;
    if (!region.admits()) return region.answer();
    const Communicator* const known = FilesAndWindows::ofProcess().ofWindow(window);
    if (known == nullptr || region.use(name, known->handle) == nullptr) {
        if (known != nullptr && !region.isPassing()) return MPI_ERR_OTHER;
        if (const auto refused = known == nullptr ? refuse(name, unknownWindow) : std::nullopt) return *refused;
        return call();
    }
    if (region.lookAtLetters()) return region.fail();
    CallRing::ofProcess().note({.name = name, .communicator = known->id, .peer = target < 0 ? CallRing::none : target});
    int result = MPI_SUCCESS;
    {
        const CallRing::Unwakeable unwakeable(name);
        const Turn::Pause pause;
        result = call();
    }
    if (result != MPI_SUCCESS) return result;
    WindowLocks::ofProcess().note(window, target, kind, assertion);
    return region.lookAtLetters() ? region.fail() : result;
}

/// Gives a lock back. Destructors make this call, so it throws nothing when another rank has failed: the next call does.
template <class Call>
int unlockGuarded(const char* name, MPI_Win window, int target, Call call) {
    if (activeRegion != nullptr && !activeRegion->admits()) return activeRegion->answer();
    const Turn turn(name);
    if (activeRegion != nullptr && FilesAndWindows::ofProcess().ofWindow(window) == nullptr) {
        if (const auto refused = refuse(name, unknownWindow)) return *refused;
    }
    return WindowLocks::ofProcess().remove(window, target) ? call() : MPI_SUCCESS;
}

/// Makes a call that programs repeat while they wait for the memory of a window to change.
template <class Call>
int pollGuarded(const char* name, MPI_Win window, Call call) {
    if (activeRegion == nullptr) return call();
    const Turn turn(name);
    Region& region = *activeRegion;
    if (!region.admits()) return region.answer();
    const Communicator* const known = FilesAndWindows::ofProcess().ofWindow(window);
    if (known == nullptr) {
        if (const auto refused = refuse(name, unknownWindow)) return *refused;
    } else {
        CallRing::ofProcess().notePoll({.name = name, .communicator = known->id});
    }
    const int result = call();
    return region.lookAtLetters() ? region.fail() : result;
}

}    // namespace

int MPI_Win_lock(int kind, int target, int assertion, MPI_Win window) {
    return lockGuarded("MPI_Win_lock", window, target, kind, assertion, [&] { return PMPI_Win_lock(kind, target, assertion, window); });
}

int MPI_Win_lock_all(int assertion, MPI_Win window) {
    return lockGuarded("MPI_Win_lock_all", window, WindowLocks::allTargets, MPI_LOCK_SHARED, assertion,
                       [&] { return PMPI_Win_lock_all(assertion, window); });
}

int MPI_Win_unlock(int target, MPI_Win window) {
    return unlockGuarded("MPI_Win_unlock", window, target, [&] { return PMPI_Win_unlock(target, window); });
}

int MPI_Win_unlock_all(MPI_Win window) {
    return unlockGuarded("MPI_Win_unlock_all", window, WindowLocks::allTargets, [&] { return PMPI_Win_unlock_all(window); });
}

int MPI_Win_flush(int target, MPI_Win window) {
    return pollGuarded("MPI_Win_flush", window, [&] { return PMPI_Win_flush(target, window); });
}

int MPI_Win_flush_all(MPI_Win window) {
    return pollGuarded("MPI_Win_flush_all", window, [&] { return PMPI_Win_flush_all(window); });
}

int MPI_Win_flush_local(int target, MPI_Win window) {
    return pollGuarded("MPI_Win_flush_local", window, [&] { return PMPI_Win_flush_local(target, window); });
}

int MPI_Win_flush_local_all(MPI_Win window) {
    return pollGuarded("MPI_Win_flush_local_all", window, [&] { return PMPI_Win_flush_local_all(window); });
}

int MPI_Win_sync(MPI_Win window) {
    return pollGuarded("MPI_Win_sync", window, [&] { return PMPI_Win_sync(window); });
}
