#pragma once

#include <span>

namespace ferry::test {

/// Calls inner(), which throws a std::runtime_error, or looks around.
struct ThrowingFunction {
    const char* name;
    void (*run)(void (*inner)());
};

// The same ones, with code as compilers make it then.
std::span<const ThrowingFunction> unoptimisedFunctions();
std::span<const ThrowingFunction> optimisedFunctions();

}    // namespace ferry::test
