#pragma once

#include <cstddef>
#include <vector>

#include <ferry/tests/serialization/pairs/PairCase.hpp>

namespace ferry::test::pairs {

/// Each kind beside one other, an owner beside no owner where it can be: for every build.
struct SomePairs {
    static constexpr bool isIncluded(std::size_t row, std::size_t column) {
        return row <= kindCount / 2 && column == (row + kindCount / 2 + 1) % kindCount;
    }
};
/// Each kind beside itself and every other.
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
