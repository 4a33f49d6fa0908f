#pragma once

#include <new>
#include <utility>

namespace ferry {

/// Does what other ranks wait for: without memory it is tried again, some times. After a std::bad_alloc the function must not have done
/// any of it. Errors: whatever it throws; std::bad_alloc when there is no memory at the last time either.
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
