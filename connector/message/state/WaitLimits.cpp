#include <ferry/connector/message/state/WaitLimits.hpp>

#include <algorithm>

namespace ferry::detail {

std::uint64_t WaitLimits::begin(const WaitLimit& limit) {
    const std::lock_guard lock(mutex_);
    limits_.push_back({++lastNumber_, limit});
    if (limit.until < present_.until) present_ = limit;
    return lastNumber_;
}

void WaitLimits::end(std::uint64_t number) noexcept {
    const std::lock_guard lock(mutex_);
    const auto ended = std::find_if(limits_.begin(), limits_.end(), [number](const Limit& one) { return one.number == number; });
    if (ended == limits_.end()) return;
    limits_.erase(ended);
    isOneOver_.store(true, std::memory_order_relaxed);
}

void WaitLimits::look() noexcept {
    const std::lock_guard lock(mutex_);
    isOneOver_.store(false, std::memory_order_relaxed);
    present_ = {};
    for (const Limit& one : limits_) {
        if (one.limit.until < present_.until) present_ = one.limit;
    }
}

}    // namespace ferry::detail
