#pragma once

#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Place.hpp>
#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling::enrolment {

/// A timetable from any source: a place for each event. The timetable need not be valid.
using Solution = std::vector<Place>;

/// Returns the timetable of the slots. Slots and places are indexed by event.
Solution toSolution(const Problem& problem, const Slots& slots);

/// Returns the slots of the timetable, -1 for events that are left out.
/// Errors: std::invalid_argument for an event with a period and no room.
Slots toSlots(const Problem& problem, const Solution& solution);

/// Throws std::invalid_argument unless there is a slot or -1 for each event. No rule may be broken; events may be left out.
void checkSlots(const Problem& problem, const Slots& slots);

}    // namespace timetabling::enrolment
