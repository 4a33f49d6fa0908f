#pragma once

#include <optional>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Place.hpp>

namespace timetabling::enrolment {

/// An event that has to be in a place that the user has chosen.
struct Pin {
    int event = 0;
    int period = 0;
    int room = -1;    ///< -1: any suitable room

    bool operator==(const Pin&) const = default;
};

/// The parts of an earlier timetable that should stay when an instance is solved again.
struct Published {
    std::vector<Place> places;    ///< indexed by event; empty: there is no published timetable. A room need not exist any more; without a
                                  ///< room, any room will do
    std::vector<Pin> pins;        ///< no event twice
    std::optional<int> keepWeight;    ///< the cost of an event in another period than published; without a value, the search moves as few
                                      ///< events as possible

    bool operator==(const Published&) const = default;
};

}    // namespace timetabling::enrolment
