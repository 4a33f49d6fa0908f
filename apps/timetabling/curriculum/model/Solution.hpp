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

/// A timetable from any source: any number of placements. The timetable need not be valid.
struct Solution {
    std::vector<Placement> placements;

    bool operator==(const Solution&) const = default;
};

/// Returns the timetable of the slots. A slot -1 is a lecture that is left out. Courses are in the order of the
/// instance, and each course in the order of its periods.
Solution toSolution(const Problem& problem, std::span<const std::int32_t> slots);

/// Returns the slots of the timetable, -1 for lectures that are missing. Pinned lectures come first, as in the problem.
/// Errors: std::invalid_argument when a course has more lectures than it should.
Slots toSlots(const Problem& problem, const Solution& solution);

/// Throws std::invalid_argument unless all of this is true:
/// there is one slot per lecture, in range, and no slot is used twice;
/// every lecture is in an open period of its course, and in the place of its pin; no course is twice in one period.
/// Does not check pairs of conflicting courses.
void checkSlots(const Problem& problem, std::span<const std::int32_t> slots);

}    // namespace timetabling::curriculum
