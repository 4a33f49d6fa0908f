#pragma once

#include <optional>

#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling {

/// The least number of lectures that a timetable leaves out, as far as the number is known.
struct LeastLeftOut {
    int bound = 0;                   ///< fewer are proven to be impossible
    std::optional<Slots> slots{};    ///< a timetable that leaves out 'bound' lectures; their slots are -1
};

}    // namespace timetabling
