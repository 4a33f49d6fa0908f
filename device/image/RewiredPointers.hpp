#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ferry::detail {

/// The pointers of the host that lead elsewhere since a fetch(), because a kernel had changed them. The slots still have the targets of the
/// copy, which tell update() that the host has another shape.
class RewiredPointers {
public:
    static constexpr std::uintptr_t Null = ~std::uintptr_t{0};    ///< the place of a null pointer

    void clear() noexcept { targets_.clear(); }
    bool isEmpty() const noexcept { return targets_.empty(); }
    /// pointer: the address of the pointer. place: of its target in the image.
    void note(const void* pointer, const void* target, std::size_t count, std::uintptr_t place);
    /// The place in the image for a pointer that has kept the target of the last fetch(). Null without one.
    const std::uintptr_t* placeOf(const void* pointer, const void* target, std::size_t count) const noexcept;

private:
    struct Target {
        const void* host = nullptr;
        std::size_t count = 0;
        std::uintptr_t place = Null;
    };
    std::unordered_map<const void*, Target> targets_;
};

}    // namespace ferry::detail
