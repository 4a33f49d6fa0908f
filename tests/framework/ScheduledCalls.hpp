#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <ferry/framework/schedule/Schedule.hpp>

// Common starting points of the tests of the schedule.
namespace ferry::test {

using namespace std::chrono_literals;

using Supply = detail::Schedule::Supply;
using Calls = std::vector<std::int32_t>;

inline const detail::Schedule::TimePoint start{1h};

inline detail::CallFacts small(int priority = 0) { return {.kind = 1, .priority = priority, .ints = 10}; }

inline void add(detail::Schedule& schedule, int count, int first = 1) {
    for (int call = first; call < first + count; ++call) schedule.add(call, small());
}

/// Returns all calls that the schedule gives out at this time, by slave.
inline std::map<int, Calls> giveAll(detail::Schedule& schedule, detail::Schedule::TimePoint now = start) {
    std::map<int, Calls> given;
    while (const auto batch = schedule.next(Supply::Complete, now))
        given[batch->slave].insert(given[batch->slave].end(), batch->calls.begin(), batch->calls.end());
    return given;
}

/// Returns a schedule that has measured calls of the kind of small() on slave 0.
inline detail::Schedule scheduleThatKnows(int slaveCount, detail::Schedule::Duration taken) {
    detail::Schedule schedule(slaveCount);
    schedule.add(1'000'000, small());
    const auto first = schedule.next(Supply::Complete, start);
    schedule.finished(first->slave, 1'000'000, taken, start);
    return schedule;
}

}    // namespace ferry::test
