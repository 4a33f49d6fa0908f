#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace timetabling::curriculum {

/// A lecture that has to be in a place that the user has chosen.
struct Pin {
    int course = 0;    ///< index into Instance::courses
    int period = 0;    ///< counts through the week
    int room = -1;     ///< index into Instance::rooms; -1: any room

    bool operator==(const Pin&) const = default;
};

/// A lecture of the published timetable, which people know already. Its place need not exist any more.
struct PublishedLecture {
    int course = 0;       ///< index into Instance::courses
    int period = -1;      ///< counts through the week; -1: the week no longer has this period
    int room = -1;        ///< index into Instance::rooms; -1: the room no longer exists
    std::string place;    ///< in words: "day 0 period 1 room A.1"
};

/// The parts of an earlier timetable that should stay when an instance is solved again.
struct Published {
    std::vector<PublishedLecture> lectures;    ///< empty: there is no published timetable. No course appears twice in one period
    std::vector<Pin> pins;
    std::vector<std::int32_t> begin;    ///< a timetable near the published one to begin the search with; empty: none
    std::optional<int> keepWeight;    ///< the cost of a lecture in another period than published; without a value, the search moves as few
                                      ///< lectures as possible
};

}    // namespace timetabling::curriculum
