#pragma once

#include <set>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::enrolment {

/// Reads a timetable of an earlier version of the problem, in the format of the competition.
/// The file needs a line for each event of the problem, since events have no names and only the order identifies them.
/// The rooms in the file need not exist any more. Columns that do not count are told.
/// Errors: InputError with file and line.
std::vector<Place> readPublished(TextFile file, const Problem& problem);
std::vector<Place> readPublished(const std::string& path, const Problem& problem);

/// Reads pins from a table with the columns event, day, period and, optionally, room. All numbers count from 0.
/// Other columns are told.
/// Errors: InputError with file and line for a wrong row, such as one of two pins that contradict each other.
std::vector<Pin> readPins(TextFile file, const Problem& problem);
std::vector<Pin> readPins(const std::string& path, const Problem& problem);

/// Returns pins that fix all published events in their places, except the given events.
/// Errors: InputError for a text that is not the number of an event, and for an event that cannot be in its published place.
std::vector<Pin> pinsOfAllBut(const std::set<std::string>& events, const std::vector<Place>& places, const Problem& problem);

}    // namespace timetabling::enrolment
