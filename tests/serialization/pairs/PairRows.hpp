#pragma once

#include <cstddef>
#include <vector>

#include <ferry/tests/serialization/pairs/PairCase.hpp>

namespace ferry::test::pairs {

/// Pairs for every build: each kind with one other kind, an owner with a non-owner where possible.
struct SomePairs {
    static constexpr bool isIncluded(std::size_t row, std::size_t column) {
        return row <= kindCount / 2 && column == (row + kindCount / 2 + 1) % kindCount;
    }
};
/// All pairs: each kind with itself and with every other kind.
struct EveryPair {
    static constexpr bool isIncluded(std::size_t row, std::size_t column) { return row <= column; }
};

template <std::size_t FirstRow, std::size_t EndRow, class IsIncluded>
void addRows(std::vector<PairCase>& cases) {
    if constexpr (FirstRow < EndRow && FirstRow < kindCount) {
        addRow<FirstRow>(cases, IsIncluded());
        addRows<FirstRow + 1, EndRow, IsIncluded>(cases);
    }
}

}    // namespace ferry::test::pairs
