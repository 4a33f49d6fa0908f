#pragma once

#include <exception>

namespace ferry::detail {

/// Whether the exception is an E, or of a class derived from E. Needs no memory. The pointer must not be null.
template <class E>
bool isOf(const std::exception_ptr& thrown) noexcept {
    try {
        std::rethrow_exception(thrown);
    } catch (const E&) {
        return true;
    } catch (...) {
        return false;
    }
}

}    // namespace ferry::detail
