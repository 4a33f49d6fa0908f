#pragma once

#include <algorithm>
#include <span>

namespace timetabling {

/// Whether the number is in the list.
inline bool contains(std::span<const int> numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

}    // namespace timetabling
