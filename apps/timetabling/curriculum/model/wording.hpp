#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

/// Parts of sentences about a problem, in its own names.

namespace timetabling::curriculum {

/// "on day 0 period 1".
std::string when(const Problem& problem, int period);

/// What two conflicting courses have in common: "teacher Rossi".
std::string bondOf(const Problem& problem, int courseA, int courseB);

}    // namespace timetabling::curriculum
