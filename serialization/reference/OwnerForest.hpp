#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ferry::detail {

/// The ownership between objects of a graph by unique_ptr and ferry::owned: a forest of object numbers, from 1 on.
class OwnerForest {
public:
    /// Notes that such a pointer inside object `owner` (0: outside of the graph) takes the object, which had no owner. Returns false and
    /// changes nothing if objects would own each other in a cycle.
    bool add(std::uint32_t number, std::uint32_t owner) {
        if (owner != 0 && topOf(owner) == number) return false;
        if (number >= owners_.size()) growTo(std::size_t{number} + 1);
        owners_[number] = owner;
        return true;
    }

private:
    void growTo(std::size_t size);

    /// The topmost owner of this object. Returns the object itself if no unique_ptr owns it. Halves the path on the way.
    std::uint32_t topOf(std::uint32_t number) noexcept {
        while (number < owners_.size() && owners_[number] != 0) {
            std::uint32_t& owner = owners_[number];
            if (owner < owners_.size() && owners_[owner] != 0) owner = owners_[owner];
            number = owner;
        }
        return number;
    }

    std::vector<std::uint32_t> owners_;    // index: the number; only as long as needed; 0: no owner
};

}    // namespace ferry::detail
