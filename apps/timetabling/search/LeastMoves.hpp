#pragma once

#include <optional>

#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling {

/// The least number of moves that a published timetable needs after a change, as far as the number is known.
struct LeastMoves {
    int forced = 0;                  ///< lectures whose published places are gone or closed
    int bound = 0;                   ///< fewer moves are proven to be impossible
    std::optional<Slots> slots{};    ///< a timetable with 'bound' moves
};

}    // namespace timetabling
