#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>

namespace timetabling::curriculum {

/// The timetable as one page that needs no other file: the score, everything that is wrong in words, and a week for each curriculum,
/// room and teacher with the violations marked.
std::string writeHtmlReport(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
