#pragma once

#include <string>

#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::enrolment {

/// Reads a timetable in the format of the competitions: "period room" for each event, "-1 -1" for an event that is left out.
/// Accepts a period without a room. Does not check whether the timetable breaks any constraint. Tells what of the file does not count.
/// Errors: InputError with file and line.
Solution readSolution(const std::string& path, const Problem& problem);
Solution readSolution(TextFile file, const Problem& problem);

/// Reads eventCount events of a timetable. Rooms have the numbers 0 to roomCount - 1.
Solution readPlaces(TextFile file, int eventCount, int roomCount);

/// Returns the timetable in the format that readSolution() reads, one line per event.
std::string writeSolution(const Solution& solution);

}    // namespace timetabling::enrolment
