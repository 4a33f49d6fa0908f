#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::curriculum {

/// Reads a timetable in the format of the competition: one line "course room day period" per lecture, in any order.
/// Whether the timetable is any good is not looked at.
/// Errors: InputError with file and line for a line of another form, an unknown name or a day or period out of range.
Solution readSolution(const std::string& path, const Problem& problem);
Solution readSolution(TextFile file, const Problem& problem);

/// The timetable in the same format.
std::string writeSolution(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
