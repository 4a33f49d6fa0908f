#pragma once

#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/report/Moved.hpp>

namespace timetabling::enrolment {

/// Returns the events that are not in their published place, in ascending order. Empty without a published timetable.
/// An event that is left out now counts as moved. An event that the published timetable left out does not.
/// The causes are correct only for a problem without pins.
std::vector<Moved> movedEvents(const Problem& problem, const Solution& solution);

}    // namespace timetabling::enrolment
