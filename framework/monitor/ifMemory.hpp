#pragma once

#include <new>

namespace ferry::detail {

/// Calls a function that no result depends on, such as a line of the log or a count of the statistics. A lack of memory skips the function.
template <class Function>
void ifMemory(Function&& function) {
    try {
        function();
    } catch (const std::bad_alloc&) {}
}

}    // namespace ferry::detail
