#pragma once

#include <new>

namespace ferry {

/// Calls a function that nobody depends on, such as a line of the log or a number of the statistics. Without memory it is left out.
template <class Function>
void ifMemory(Function&& function) {
    try {
        function();
    } catch (const std::bad_alloc&) {}
}

}    // namespace ferry
