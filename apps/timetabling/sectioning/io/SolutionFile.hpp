#pragma once

#include <string>

#include <ferry/apps/timetabling/sectioning/io/XmlFile.hpp>
#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>
#include <ferry/apps/timetabling/sectioning/model/Solution.hpp>

namespace timetabling::sectioning {

/// Reads a timetable of ITC-2019, valid or not. A class with a time or a room that is none of its own counts as one without.
/// Errors: InputError for a file of another kind or of another instance, and for classes, rooms and students that the instance has not.
Solution readSolution(const std::string& path, const Problem& problem);
/// Reads a timetable from a file in memory.
Solution readSolution(XmlFile file, const Problem& problem);

/// Returns the timetable as an XML file of ITC-2019. The attributes that say who made it are left to the user: author, institution,
/// country, runtime and cores. Classes without a time are left out.
std::string writeSolution(const Problem& problem, const Solution& solution);

}    // namespace timetabling::sectioning
