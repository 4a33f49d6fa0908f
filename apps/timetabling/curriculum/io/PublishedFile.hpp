#pragma once

#include <set>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/io/TextFile.hpp>

namespace timetabling::curriculum {

/// A timetable that was read.
struct PublishedTimetable {
    std::vector<PublishedLecture> lectures;
    std::string leftOut;    ///< in words, which lines of the file are not among the lectures; empty: all are
};

/// Reads a timetable of an earlier version of the problem, in the format of the competition: its rooms and periods need not be there any
/// more. Courses that are not there any more, and a second lecture of a course in one period, are left out.
/// Errors: InputError with file and line for a line of another form, and for a file without a lecture of the problem's courses.
PublishedTimetable readPublished(TextFile file, const Problem& problem);
PublishedTimetable readPublished(const std::string& path, const Problem& problem);

/// Reads what is pinned: a table with the columns course, day, period and, as you like, room; each row pins one lecture of the course.
/// Errors: InputError with file and line for what the table should not say, such as two pins that contradict each other.
std::vector<Pin> readPins(TextFile file, const Problem& problem);
std::vector<Pin> readPins(const std::string& path, const Problem& problem);

/// Pins that hold all published lectures but those of these courses where they are.
/// Errors: InputError for an unknown name, and for a lecture that cannot be where it was published.
std::vector<Pin> pinsOfAllBut(const std::set<std::string>& courses, const std::vector<PublishedLecture>& lectures, const Problem& problem);

}    // namespace timetabling::curriculum
