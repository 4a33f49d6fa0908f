#pragma once

#include <new>
#include <utility>

namespace ferry {

/// Calls a function that other ranks wait for. Without memory it tries again a few times, so a std::bad_alloc must leave nothing done.
/// Errors: all that the function throws; std::bad_alloc when there is no memory at the last try either.
template <class Function>
decltype(auto) insist(Function&& function) {
    constexpr int mostTries = 16;
    for (int tries = 1;; ++tries) {
        try {
            return function();
        } catch (const std::bad_alloc&) {
            if (tries == mostTries) throw;
        }
    }
}

}    // namespace ferry
