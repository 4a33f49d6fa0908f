#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <vector>

#include <ferry/device/image/ImageBlock.hpp>

namespace ferry::detail {

/// Whether copies of this program may hold arrays of U. Without such arrays no pointer leads to an end.
template <class U>
inline bool mayHaveArrays = false;
template <class U>
inline const bool isArrayNoted = (mayHaveArrays<U> = true);
/// Called where an array of U is followed. Its compilation alone sets mayHaveArrays, before main().
template <class U>
void noteArraysOf() noexcept {
    if constexpr (std::is_class_v<U>) static_cast<void>(&isArrayNoted<U>);
}

/// The pointers of one copy that lead to the end of an array, as in begin/end pairs, and not to an object.
///
/// A raw pointer that leads to nothing else in the copy is a guess. Its target is read after all arrays that other pointers lead to were
/// found. Where an array ends there, and no other object lies there, the pointer leads to the end.
class ArrayEnds {
public:
    void clear() noexcept;
    /// Notes a new block to which a raw pointer leads.
    void addGuess(std::uint32_t index, const std::type_info& type);
    /// Notes an array without elements.
    void addEmpty(const void* host, const std::type_info& type) { empties_.push_back({host, 0, &type}); }

    /// Finds the next guess that leads to an object, as far as the arrays are known by now. Returns false without one.
    bool nextObject(std::vector<ImageBlock>& blocks, std::uint32_t& index);
    /// Marks the ends, when all else was found. Returns guesses that lead to an object after all, whose pointers are still to be followed.
    /// Errors: UsageError for an array whose end was met first, and was read.
    std::vector<std::uint32_t> settle(std::vector<ImageBlock>& blocks);
    /// The blocks that are ends. Where an array has the end, offset is the index of its block until ImagePlan::place().
    const std::vector<std::uint32_t>& found() const noexcept { return found_; }

private:
    /// A guess at the end of an array.
    struct Suspect {
        std::uintptr_t address = 0;
        std::uint32_t index = 0;
        bool isObject = false;
    };

    void noteArrays(const std::vector<ImageBlock>& blocks);
    bool isAtEnd(const ImageBlock& block) const;
    std::vector<Suspect> suspectsIn(const std::vector<ImageBlock>& blocks) const;

    std::vector<std::uint32_t> guesses_;
    std::size_t nextGuess_ = 0;
    std::vector<const std::type_info*> types_;    ///< of the guesses
    std::vector<BlockKey> empties_;
    std::unordered_map<BlockKey, std::uint32_t, BlockKeyHash> ends_;    ///< number of the array's block, from 1; 0 for an empty array
    std::size_t notedBlocks_ = 0;
    std::size_t notedEmpties_ = 0;
    std::vector<std::uint32_t> found_;
};

}    // namespace ferry::detail
