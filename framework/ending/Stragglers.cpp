#include <ferry/framework/ending/Stragglers.hpp>

#include <algorithm>

#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>

namespace ferry::detail {

namespace {

// A longer pause between two looks counts as a pause of this part of the grace time.
constexpr int leastLooks = 10;

}    // namespace

void Stragglers::add(int rank, int lostRank) {
    const bool isKnown = std::any_of(slaves_.begin(), slaves_.end(), [rank](const Straggler& slave) { return slave.rank == rank; });
    if (giveUp_ && !isKnown) slaves_.push_back({rank, lostRank, grace_});
}

void Stragglers::remove(int rank) noexcept {
    slaves_.remove_if([rank](const Straggler& slave) { return slave.rank == rank; });
    if (slaves_.empty()) lastLook_.reset();
}

void Stragglers::look(Clock::time_point now) {
    if (slaves_.empty()) return;
    const Clock::duration longest = Clock::duration(grace_) / leastLooks;
    const Clock::duration passed = lastLook_ ? std::min(now - *lastLook_, longest) : Clock::duration::zero();
    lastLook_ = now;
    for (Straggler& slave : slaves_) slave.left -= passed;
    while (true) {
        const auto overdue = std::find_if(slaves_.begin(), slaves_.end(), [](const Straggler& slave) { return slave.left.count() <= 0; });
        if (overdue == slaves_.end()) return;
        giveUp(*overdue);
        remove(overdue->rank);
    }
}

void Stragglers::giveUp(const Straggler& slave) const {
    giveUp_({slave.rank, "was given up with its team"});
    ifMemory([&] {
        logLine(spdlog::level::warn,
                "rank {} has not left its team within {} s after the loss of rank {}: it is given up. A call of MPI may still wait for rank {}",
                slave.rank, std::chrono::duration<double>(grace_).count(), slave.lostRank, slave.lostRank);
    });
}

}    // namespace ferry::detail
