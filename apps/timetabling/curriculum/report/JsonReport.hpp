#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>

namespace timetabling::curriculum {

/// Returns the timetable, its score and all violations as a JSON document.
std::string writeJsonReport(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
