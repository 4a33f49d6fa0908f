#pragma once

#include <set>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::enrolment {

/// Reads a timetable of an earlier version of the problem, in the format of the competition, with a line for each event of the problem:
/// events have no names, so that only their order says which is which. Its rooms need not be there any more.
/// Errors: InputError with file and line.
std::vector<Place> readPublished(TextFile file, const Problem& problem);
std::vector<Place> readPublished(const std::string& path, const Problem& problem);

/// Reads what is pinned: a table with the columns event, day, period and, as you like, room, all counted from 0.
/// Errors: InputError with file and line for what the table should not say, such as two pins that contradict each other.
std::vector<Pin> readPins(TextFile file, const Problem& problem);
std::vector<Pin> readPins(const std::string& path, const Problem& problem);

/// Pins that hold all published events but these where they are.
/// Errors: InputError for what is not the number of an event, and for an event that cannot be where it was published.
std::vector<Pin> pinsOfAllBut(const std::set<std::string>& events, const std::vector<Place>& places, const Problem& problem);

}    // namespace timetabling::enrolment
