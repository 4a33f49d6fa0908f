#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::curriculum {

/// Reads a timetable in the format of the competition: one line "course room day period" per lecture, in any order.
/// Does not check whether the timetable breaks any constraint. Tells what of the file does not count.
/// Errors: InputError with file and line for a line of another form, an unknown name or a day or period out of range.
Solution readSolution(const std::string& path, const Problem& problem);
Solution readSolution(TextFile file, const Problem& problem);

/// Returns the timetable in the format that readSolution() reads.
std::string writeSolution(const Problem& problem, const Solution& solution);

}    // namespace timetabling::curriculum
