#pragma once

#include <new>
#include <utility>

namespace ferry::detail {

/// Calls a function that other ranks wait for. Without memory it calls the function again, up to 16 times in all. So a std::bad_alloc must
/// leave nothing done. Errors: all exceptions of the function; std::bad_alloc when the last try has no memory either.
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

}    // namespace ferry::detail
