#pragma once

#include <optional>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Place.hpp>

namespace timetabling::enrolment {

/// An event that has to be where the user says.
struct Pin {
    int event = 0;
    int period = 0;
    int room = -1;    ///< -1: any that suits

    bool operator==(const Pin&) const = default;
};

/// What should stay as it is when an instance is solved again.
struct Published {
    std::vector<Place> places;    ///< by event; empty: there is no published timetable. Rooms need not be there any more; none: any will do
    std::vector<Pin> pins;        ///< no event twice
    std::optional<int> keepWeight;    ///< what an event costs that is in another period; none: as few as possible are to move

    bool operator==(const Published&) const = default;
};

}    // namespace timetabling::enrolment
