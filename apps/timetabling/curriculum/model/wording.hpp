#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

/// Parts of sentences about a problem, with the names of the instance.

namespace timetabling::curriculum {

/// Describes the period: "on day 0 period 1".
std::string when(const Problem& problem, int period);

/// Describes the common part of two conflicting courses: "teacher Rossi".
std::string bondOf(const Problem& problem, int courseA, int courseB);

}    // namespace timetabling::curriculum
