#include <ferry/guard/known/WindowLocks.hpp>

#include <algorithm>

#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

WindowLocks& WindowLocks::ofProcess() {
    static WindowLocks& all = *new WindowLocks;    // never destroyed: see Communicators
    return all;
}

void WindowLocks::note(MPI_Win window, int target, int kind, int assertion) {
    remove(window, target);    // one that was given back
    all_.push_back({window, target, kind, assertion, ++lastNumber_});
}

bool WindowLocks::remove(MPI_Win window, int target) {
    const auto found =
        std::find_if(all_.begin(), all_.end(), [&](const Lock& lock) { return lock.window == window && lock.target == target; });
    if (found == all_.end()) return true;    // MPI has the best error
    const bool isHeld = found->isHeld;
    all_.erase(found);
    return isHeld;
}

bool WindowLocks::isAnyHeld(MPI_Win window) const noexcept {
    return std::any_of(all_.begin(), all_.end(), [&](const Lock& lock) { return lock.window == window && lock.isHeld; });
}

void WindowLocks::forget(MPI_Win window) {
    all_.erase(std::remove_if(all_.begin(), all_.end(), [&](const Lock& lock) { return lock.window == window; }), all_.end());
}

void WindowLocks::release() {
    for (Lock& lock : all_) {
        if (!lock.isHeld) continue;
        lock.isHeld = false;
        if (lock.target == allTargets)
            must(PMPI_Win_unlock_all(lock.window), "MPI_Win_unlock_all");
        else
            must(PMPI_Win_unlock(lock.target, lock.window), "MPI_Win_unlock");
    }
}

void WindowLocks::restore(std::uint64_t lastNumber) {
    for (Lock& lock : all_) {
        if (lock.isHeld || lock.number > lastNumber) continue;
        lock.isHeld = true;
        if (lock.target == allTargets)
            must(PMPI_Win_lock_all(lock.assertion, lock.window), "MPI_Win_lock_all");
        else
            must(PMPI_Win_lock(lock.kind, lock.target, lock.assertion, lock.window), "MPI_Win_lock");
    }
}

}    // namespace ferry::pmpi
