#pragma once

#include <set>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::curriculum {

/// A timetable as readPublished() has read it.
struct PublishedTimetable {
    std::vector<PublishedLecture> lectures;
    std::string leftOut;    ///< says in words which lines of the file were left out; empty when all lines are among the lectures
};

/// Reads a timetable of an earlier version of the problem, in the format of the competition.
/// Its rooms and periods need not exist any more. Lines of courses that no longer exist are left out.
/// A second lecture of a course in one period is left out as well. Columns that do not count are told.
/// Errors: InputError with file and line for a line of another form, and for a file without any lecture of the problem's courses.
PublishedTimetable readPublished(TextFile file, const Problem& problem);
PublishedTimetable readPublished(const std::string& path, const Problem& problem);

/// Reads pins from a table with the columns course, day, period and, optionally, room. Each row pins one lecture of the course.
/// Other columns are told.
/// Errors: InputError with file and line for a wrong row, such as one of two pins that contradict each other.
std::vector<Pin> readPins(TextFile file, const Problem& problem);
std::vector<Pin> readPins(const std::string& path, const Problem& problem);

/// Returns pins that fix all published lectures in their places, except the lectures of the given courses.
/// Errors: InputError for an unknown name, and for a lecture that cannot be in its published place.
std::vector<Pin> pinsOfAllBut(const std::set<std::string>& courses, const std::vector<PublishedLecture>& lectures, const Problem& problem);

}    // namespace timetabling::curriculum
