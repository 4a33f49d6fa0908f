#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::test {

using curriculum::Instance;
using curriculum::Problem;

/// Four courses, two rooms, five days of four periods, two curricula: an instance that a person can check by hand.
extern const char* const SmallInstanceText;
Problem smallProblem();

/// A timetable of the small instance that breaks most constraints.
extern const char* const SmallTimetableText;

/// One course per given number of lectures, all by different teachers, in so many rooms and periods of one day.
Instance plainInstance(const std::vector<int>& lectures, int roomCount, int periodsPerDay);

/// The real instances that are there; none when the folder with the data is not.
std::vector<std::string> realInstanceFiles();

/// A path in a folder for temporary files that is removed when the program ends.
std::string temporaryPath(const std::string& name);

}    // namespace timetabling::test
