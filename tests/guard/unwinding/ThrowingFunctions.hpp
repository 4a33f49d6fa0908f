#pragma once

#include <span>

namespace ferry::test {

/// A function that calls inner(). inner() throws a std::runtime_error, or inspects the stack.
struct ThrowingFunction {
    const char* name;
    void (*run)(void (*inner)());
};

// All functions, compiled without and with optimisation.
std::span<const ThrowingFunction> unoptimisedFunctions();
std::span<const ThrowingFunction> optimisedFunctions();

}    // namespace ferry::test
