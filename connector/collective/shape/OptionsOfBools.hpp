#pragma once

#include <span>
#include <type_traits>
#include <vector>

#include <ferry/connector/collective/shape/Into.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

// Collectives with options move elements between memories. The elements of a std::vector<bool> are bits, so these forms refuse bools.

namespace ferry::detail {

/// Any range of bools.
template <class Range>
concept BoolRange = std::ranges::range<const Range> && std::is_same_v<std::ranges::range_value_t<const Range>, bool>;

/// All options of all collectives that move elements.
struct OptionsOfBools {
    int root = 0;
    std::span<const int> counts{};
    std::span<const int> displacements{};
    std::span<const int> countsFrom{};
    std::span<const int> displacementsFrom{};
    MemoryOfBools into = nullptr;
    std::vector<int>* countsOut = nullptr;
    std::vector<int>* displacementsOut = nullptr;
    Deadline deadline = Deadline::never();
};

/// All options of reductions into memory. Without memory, a std::vector<bool> is reduced as a value.
struct ReductionOfBools {
    int root = 0;
    MemoryOfBools into;
    Deadline deadline = Deadline::never();
};

/// The result of a call that does not compile. Uses of the result are no further errors.
struct RefusedBools {
    template <class T>
    operator T() const;
    template <class... Arguments>
    RefusedBools get(const Arguments&...) const;
};

}    // namespace ferry::detail
