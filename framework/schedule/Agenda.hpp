#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// Calls with the times at which work on them is due. Pure logic.
class Agenda {
public:
    using TimePoint = Transport::Clock::time_point;

    void add(TimePoint time, std::int32_t call) { entries_.emplace(time, call); }
    void remove(TimePoint time, std::int32_t call) { entries_.erase({time, call}); }

    /// The earliest call, if its time has come. The call stays until it is removed.
    std::optional<std::int32_t> due(TimePoint now) const {
        if (entries_.empty() || entries_.begin()->first > now) return std::nullopt;
        return entries_.begin()->second;
    }

    /// The time of the earliest call; TimePoint::max(): there is no call.
    TimePoint next() const noexcept { return entries_.empty() ? TimePoint::max() : entries_.begin()->first; }

private:
    std::set<std::pair<TimePoint, std::int32_t>> entries_;
};

}    // namespace ferry::detail
