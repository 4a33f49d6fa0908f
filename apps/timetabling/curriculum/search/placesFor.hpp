#pragma once

#include <vector>

#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>

namespace timetabling::curriculum {

/// A slot, and what a timetable becomes when one lecture goes there.
struct PlaceOffer {
    enum class Kind {
        Here,               ///< the lecture is in the slot already
        Free,               ///< the lecture may go to the slot
        Exchange,           ///< the lecture and the one in the slot may change places
        RoomIsClosed,       ///< the room is closed in the period
        PeriodIsClosed,     ///< the period is closed to the course
        CourseIsThere,      ///< another lecture of the course is in the period
        OtherCannotLeave    ///< the lecture in the slot may not go to the place of this one
    };
    Kind kind = Kind::Here;
    int slot = 0;
    int other = -1;    ///< the lecture in the slot, if it is another one
    Delta delta{};     ///< the effect of the change; zero where there is none

    bool isPossible() const { return kind == Kind::Free || kind == Kind::Exchange; }
};

/// Returns what the slot offers to the lecture. Pins do not count.
PlaceOffer placeFor(SearchState& state, int lecture, int slot);
/// Returns what each slot offers to the lecture, in the order of the slots.
std::vector<PlaceOffer> placesFor(SearchState& state, int lecture);

}    // namespace timetabling::curriculum
