#pragma once

#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Place.hpp>
#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling::enrolment {

/// A timetable as somebody states it: a place for each event, which need not be a valid timetable.
using Solution = std::vector<Place>;

/// The timetable that the slots stand for; slots and places of events go by event.
Solution toSolution(const Problem& problem, const Slots& slots);

/// Throws std::invalid_argument unless there is a slot or -1 for each event and no rule is broken but that events are left out.
void checkSlots(const Problem& problem, const Slots& slots);

}    // namespace timetabling::enrolment
