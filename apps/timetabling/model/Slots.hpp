#pragma once

#include <cstdint>
#include <vector>

namespace timetabling {

/// The slot of each lecture or event: period * roomCount + room, or -1 for an item without a slot.
/// Searches work on slots and processes exchange slots, for every kind of problem.
using Slots = std::vector<std::int32_t>;

}    // namespace timetabling
