#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::test {

using curriculum::Instance;
using curriculum::Problem;

/// Four courses, two rooms, five days of four periods, two curricula. A person can check this instance by hand.
extern const char* const SmallInstanceText;
Problem smallProblem();

/// A timetable of the small instance that breaks most constraints.
extern const char* const SmallTimetableText;

/// Returns an instance with one course per given number of lectures. Each course has its own teacher. The week is one day.
Instance plainInstance(const std::vector<int>& lectures, int roomCount, int periodsPerDay);

/// Returns the files of the real instances; none when the folder with the data does not exist.
std::vector<std::string> realInstanceFiles();

/// Returns a path in a temporary folder. The folder is removed when the program ends.
std::string temporaryPath(const std::string& name);

}    // namespace timetabling::test
