#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace timetabling {

/// Gives items one place each, no two the same: each of them one of those that suit it.
class Matching {
public:
    explicit Matching(std::size_t placeCount) : itemIn_(placeCount, -1), seen_(placeCount, 0) {}

    /// Takes one more item in, for which the others may change their places (along an augmenting path). False, and nothing changes, when
    /// there is no place for it. Items are numbers from 0, none comes twice; places are numbers below placeCount.
    bool add(int item, std::span<const int> places);

    /// When an item was not taken in: the items that have too few places together, it and others, in ascending order.
    std::vector<int> rivals() const;

private:
    bool findPlace(int item);

    std::vector<int> itemIn_;                 ///< by place: -1 for none
    std::vector<std::size_t> seen_;           ///< by place: the number of the search that came by last
    std::vector<std::vector<int>> places_;    ///< by item
    std::size_t search_ = 0;
    int item_ = -1;    ///< that was added last
};

}    // namespace timetabling
