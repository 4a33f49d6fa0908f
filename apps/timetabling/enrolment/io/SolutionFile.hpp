#pragma once

#include <string>

#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::enrolment {

/// Reads a timetable in the format of the competitions: "period room" for each event, "-1 -1" for one that is left out. Whether the
/// timetable is any good is not looked at; a period without a room is read as such.
/// Errors: InputError with file and line.
Solution readSolution(const std::string& path, const Problem& problem);
Solution readSolution(TextFile file, const Problem& problem);

/// Reads so many events, of a timetable with rooms from 0 to roomCount - 1.
Solution readPlaces(TextFile file, int eventCount, int roomCount);

/// The timetable in the same format, a line per event.
std::string writeSolution(const Solution& solution);

}    // namespace timetabling::enrolment
