#pragma once

#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>

namespace timetabling::curriculum {

/// A lecture that is not where it was published.
struct MovedLecture {
    int course = 0;
    std::string from;     ///< in words: "day 0 period 1 room A.1"; empty for one that the published timetable did not have
    std::string to;       ///< empty for one that no longer takes place
    std::string cause;    ///< why it could not stay, as far as its own place tells: "the room is no longer there"; or empty

    bool isMoved() const { return !from.empty() && !to.empty(); }
};

/// What is elsewhere than published, in the order of the courses; nothing where no timetable was published. A lecture that is in its period
/// but in another room is told as that, and as few as possible as moved.
std::vector<MovedLecture> movedLectures(const Problem& problem, const Solution& solution);

/// The list in words: how many were moved, how many of these had to be, then the first ones line by line.
std::string describeMoved(const Problem& problem, const std::vector<MovedLecture>& lectures);

}    // namespace timetabling::curriculum
