#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

namespace ferry {

namespace detail {

/// The memory for the result of a collective: of a fixed size (a std::vector, std::array or std::span), or a vector that is resized
/// (resized, grown). There is no Into without memory: options that need it do not compile without it.
///
/// Ownership: borrows the memory or the vector for the call.
template <class T>
class Into {
public:
    template <class Memory>
        requires(std::convertible_to<Memory, std::span<T>> && !std::same_as<std::remove_cvref_t<Memory>, Into>)
    Into(Memory&& memory) : memory_(memory) {}    // implicit: .into = buffer
    Into(T* first, std::size_t count) : memory_(first, count) {}

    /// The policies for a vector whose size does not fit.
    enum class Resize {
        ToFit,       ///< the vector gets the size of the result
        GrowOnly,    ///< the vector gets larger when it is too small
    };
    Into(std::vector<T>& vector, Resize policy) noexcept : vector_(&vector), policy_(policy) {}

    /// The memory, after the vector was resized for count elements. Memory of a fixed size may be too small.
    std::span<T> memoryFor(std::size_t count) const {
        if (vector_ == nullptr) return memory_;
        if (policy_ == Resize::ToFit || vector_->size() < count) vector_->resize(count);
        return *vector_;
    }

    /// Tells whether the memory before the call and these elements lie over each other.
    bool overlaps(std::span<const T> elements) const noexcept {
        const std::span<T> memory = vector_ != nullptr ? std::span<T>(*vector_) : memory_;
        const std::less<const T*> isBefore;
        return isBefore(memory.data(), elements.data() + elements.size()) && isBefore(elements.data(), memory.data() + memory.size());
    }

private:
    std::span<T> memory_{};
    std::vector<T>* vector_ = nullptr;    ///< null: the memory has a fixed size
    Resize policy_ = Resize::ToFit;
};

/// Any memory for bools. No collective fills such memory.
struct MemoryOfBools {
    template <class Memory>
    MemoryOfBools(const Memory&) noexcept {}    // implicit: .into = buffer
};

}    // namespace detail

/// A vector that gets the size of the result: allGather(mine, {.into = ferry::resized(all)}).
template <class T>
    requires(!std::same_as<T, bool>)
detail::Into<T> resized(std::vector<T>& vector)
noexcept { return {vector, detail::Into<T>::Resize::ToFit}; }

/// A vector that gets larger when the result does not fit, and never smaller. The call returns the filled part.
template <class T>
    requires(!std::same_as<T, bool>)
detail::Into<T> grown(std::vector<T>& vector)
noexcept { return {vector, detail::Into<T>::Resize::GrowOnly}; }

template <class Allocator>
detail::MemoryOfBools resized(std::vector<bool, Allocator>& bits) noexcept {
    return bits;
}
template <class Allocator>
detail::MemoryOfBools grown(std::vector<bool, Allocator>& bits) noexcept {
    return bits;
}

}    // namespace ferry
