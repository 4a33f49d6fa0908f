#pragma once

#include <cstdint>

namespace timetabling::sectioning {

/// The meetings of a class, or the times when a room is closed: the same time slots on some days of some weeks.
struct TimeSpan {
    std::uint32_t days = 0;     ///< bit d: the meeting takes place on day d, counted from 0
    std::uint64_t weeks = 0;    ///< bit w: the meeting takes place in week w, counted from 0
    int start = 0;              ///< the first time slot
    int length = 0;             ///< in time slots

    int end() const { return start + length; }

    bool operator==(const TimeSpan&) const = default;
};

/// Whether there is a day of a week on which both take place, at any time.
inline bool shareADay(const TimeSpan& one, const TimeSpan& other) { return (one.days & other.days) != 0 && (one.weeks & other.weeks) != 0; }

/// Whether the two overlap: they share a day of a week and a time slot.
inline bool overlap(const TimeSpan& one, const TimeSpan& other) {
    return one.start < other.end() && other.start < one.end() && shareADay(one, other);
}

}    // namespace timetabling::sectioning
