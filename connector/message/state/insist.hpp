#pragma once

#include <new>
#include <utility>

namespace ferry::detail {

/// A function that other ranks wait for is called this number of times before a lack of memory ends it.
constexpr int mostTriesWithoutMemory = 16;

/// Calls a function that other ranks wait for. Without memory it calls the function again, up to mostTriesWithoutMemory times in all. So a
/// std::bad_alloc must leave nothing done. Errors: all exceptions of the function; std::bad_alloc when the last try has no memory either.
template <class Function>
decltype(auto) insist(Function&& function) {
    for (int tries = 1;; ++tries) {
        try {
            return function();
        } catch (const std::bad_alloc&) {
            if (tries == mostTriesWithoutMemory) throw;
        }
    }
}

}    // namespace ferry::detail
