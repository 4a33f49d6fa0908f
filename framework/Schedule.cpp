#include <ferry/framework/Schedule.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

Schedule::Schedule(int slaveCount, int windowPerSlave)
    : load_(static_cast<std::size_t>(std::max(slaveCount, 0)), 0),
      windowPerSlave_(windowPerSlave) {
    if (windowPerSlave <= 0) throw UsageError(fmt::format("a window of {} calls per slave lets no slave work", windowPerSlave));
}

void Schedule::add(std::int32_t call) {
    order_.push_back(call);
    waiting_.insert(call);
}

bool Schedule::cancel(std::int32_t call) { return waiting_.erase(call) != 0; }

std::optional<Schedule::Assignment> Schedule::next() {
    if (waiting_.empty()) {
        order_.clear();
        return std::nullopt;
    }
    const auto leastLoaded = std::min_element(load_.begin(), load_.end());
    if (leastLoaded == load_.end() || *leastLoaded >= windowPerSlave_) return std::nullopt;
    while (waiting_.count(order_.front()) == 0) order_.pop_front();
    const std::int32_t call = order_.front();
    order_.pop_front();
    waiting_.erase(call);
    ++*leastLoaded;
    return Assignment{call, static_cast<int>(leastLoaded - load_.begin())};
}

void Schedule::finished(int slave) {
    if (slave < 0 || slave >= slaveCount() || load_[static_cast<std::size_t>(slave)] == 0)
        throw UsageError(fmt::format("slave {} has no call to finish", slave));
    --load_[static_cast<std::size_t>(slave)];
}

}    // namespace ferry
