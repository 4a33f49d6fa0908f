#pragma once

#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/report/LeftOut.hpp>

namespace timetabling::enrolment {

/// Lists the events that the timetable leaves out.
std::vector<LeftOut> leftOutEvents(const Problem& problem, const Solution& solution);

}    // namespace timetabling::enrolment
