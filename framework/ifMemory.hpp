#pragma once

#include <new>

namespace ferry {

/// Does what nobody counts on, such as a line of the log or a number of the statistics: without memory it is left out.
template <class Function>
void ifMemory(Function&& function) {
    try {
        function();
    } catch (const std::bad_alloc&) {}
}

}    // namespace ferry
