#pragma once

#include <cstddef>
#include <utility>

#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry::detail {

/// Computes how many objects own each other in a row, because such objects are destroyed by recursion. Works while a message is written or
/// read from front to back. Levels are counted from the outermost value.
class OwnerLevels {
public:
    struct Begun {
        std::size_t ofObject = 0;
        std::size_t ofOuter = 0;
    };

    /// To be called when a shared object begins at this depth of nesting.
    Begun begin(std::size_t depth) noexcept { return {depth, std::exchange(deepest_, depth + 1)}; }
    /// To be called when the shared object is complete. Returns the levels of objects that are destroyed inside it, itself included.
    std::size_t complete(const Begun& begun) noexcept {
        const std::size_t height = deepest_ - begun.ofObject;
        deepest_ = std::max(deepest_, begun.ofOuter);
        return height;
    }
    /// Notes that the value at this depth owns a complete shared object of this height.
    void noteOwned(std::size_t depth, std::size_t height) noexcept { deepest_ = std::max(deepest_, depth + height); }

private:
    std::size_t deepest_ = 0;
};

}    // namespace ferry::detail
