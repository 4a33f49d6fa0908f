#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::detail {

/// The ownership by unique_ptr between the objects of a graph: a forest of their numbers, from 1 on.
class OwnerForest {
public:
    /// A unique_ptr inside object `owner` (0: outside of the graph) takes the object, which had none. False, and nothing is changed, when
    /// objects would own each other in a circle.
    bool add(std::uint32_t number, std::uint32_t owner) {
        if (owner != 0 && topOf(owner) == number) return false;
        if (number >= owners_.size()) owners_.resize(std::size_t{number} + 1, 0);
        owners_[number] = owner;
        return true;
    }

private:
    /// The object at the top of the owners of this one; itself when no unique_ptr owns it. Shortens the path by half.
    std::uint32_t topOf(std::uint32_t number) noexcept {
        while (number < owners_.size() && owners_[number] != 0) {
            std::uint32_t& owner = owners_[number];
            if (owner < owners_.size() && owners_[owner] != 0) owner = owners_[owner];
            number = owner;
        }
        return number;
    }

    std::vector<std::uint32_t> owners_;    // by number, as far as needed; 0: none
};

}    // namespace ferry::detail
