#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>

namespace timetabling::curriculum {

/// The timetable, its score and everything that is wrong with it, as a JSON document.
std::string writeJsonReport(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
