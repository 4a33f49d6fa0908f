#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling::curriculum {

/// One lecture of a course in a period and a room.
struct Placement {
    int course = 0;
    int period = 0;
    int room = 0;

    bool operator==(const Placement&) const = default;
};

/// A timetable as somebody states it: any number of placements, which need not be a valid timetable.
struct Solution {
    std::vector<Placement> placements;

    bool operator==(const Solution&) const = default;
};

/// The timetable that the slots stand for: courses in the order of the instance, each in the order of its periods.
Solution toSolution(const Problem& problem, std::span<const std::int32_t> slots);

/// Throws std::invalid_argument unless there is one slot per lecture, all in range and none used twice, every lecture in an
/// open period of its course and where it is pinned, and no course twice in one period. Pairs of conflicting courses are not looked at.
void checkSlots(const Problem& problem, std::span<const std::int32_t> slots);

}    // namespace timetabling::curriculum
