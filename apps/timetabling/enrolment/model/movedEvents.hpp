#pragma once

#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/report/Moved.hpp>

namespace timetabling::enrolment {

/// The events that are elsewhere than published, in order; nothing where no timetable was published. One that is left out now is moved,
/// one that was left out then is not. The causes tell the truth for a problem without pins.
std::vector<Moved> movedEvents(const Problem& problem, const Solution& solution);

}    // namespace timetabling::enrolment
