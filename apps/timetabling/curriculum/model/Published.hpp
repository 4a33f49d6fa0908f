#pragma once

#include <optional>
#include <string>
#include <vector>

namespace timetabling::curriculum {

/// A lecture that has to be where the user says.
struct Pin {
    int course = 0;    ///< index into Instance::courses
    int period = 0;    ///< counts through the week
    int room = -1;     ///< index into Instance::rooms; -1: any

    bool operator==(const Pin&) const = default;
};

/// A lecture of the timetable that people know already. Its place need not be there any more.
struct PublishedLecture {
    int course = 0;       ///< index into Instance::courses
    int period = -1;      ///< counts through the week; -1: the week no longer has it
    int room = -1;        ///< index into Instance::rooms; -1: the room is no longer there
    std::string place;    ///< in words: "day 0 period 1 room A.1"
};

/// What should stay as it is when an instance is solved again.
struct Published {
    std::vector<PublishedLecture> lectures;    ///< empty: there is no published timetable; no course twice in a period
    std::vector<Pin> pins;
    std::optional<int> keepWeight;    ///< what a lecture costs that is in another period; none: as few as possible are to move
};

}    // namespace timetabling::curriculum
