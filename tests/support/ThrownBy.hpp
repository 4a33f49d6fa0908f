#pragma once

#include <exception>

namespace ferry::test {

/// What the function throws; null when it returns.
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
