#pragma once

#include <cstdint>
#include <vector>

namespace timetabling {

/// Where each lecture or event is: the number of its slot, period * roomCount + room; -1 where it has none. What a search works on and
/// what travels between processes, whatever the kind of problem.
using Slots = std::vector<std::int32_t>;

}    // namespace timetabling
