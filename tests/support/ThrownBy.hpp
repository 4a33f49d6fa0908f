#pragma once

#include <exception>

namespace ferry::test {

/// Calls the function. Returns its exception; null when the function returns.
template <class Function>
std::exception_ptr thrownBy(Function function) {
    try {
        function();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

}    // namespace ferry::test
