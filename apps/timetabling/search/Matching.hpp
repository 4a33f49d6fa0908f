#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace timetabling {

/// Gives each item its own place, which is one of the places that suit the item.
class Matching {
public:
    explicit Matching(std::size_t placeCount) : itemIn_(placeCount, -1), seen_(placeCount, 0) {}

    /// Adds one more item. Other items may change their places for it (along an augmenting path).
    /// False when there is no place for the item; then nothing changes.
    /// Items are numbers from 0, and no item comes twice. Places are numbers below placeCount.
    bool add(int item, std::span<const int> places);

    /// The place of the item, or -1.
    int placeOf(int item) const;

    /// After a failed add(): the items that together have too few places, the failed item included, in ascending order.
    std::vector<int> rivals() const;

private:
    bool findPlace(int item);

    std::vector<int> itemIn_;                 ///< indexed by place: the item, or -1 for none
    std::vector<std::size_t> seen_;           ///< indexed by place: number of the last search that has visited the place
    std::vector<std::vector<int>> places_;    ///< indexed by item
    std::size_t search_ = 0;
    int item_ = -1;    ///< the item that was added last
};

}    // namespace timetabling
