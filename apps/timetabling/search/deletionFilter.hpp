#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace timetabling {

template <class Item>
struct Filtered {
    std::vector<Item> items;
    bool isMinimal = true;    ///< false: there was no time to try each item
};

/// Reduces the items to a set without any superfluous item. The proof has to hold with all items.
/// Each item is left out in turn, and comes back when the proof fails without it (deletion filter: J. Chinneck and E. Dravnieks,
/// Locating minimal infeasible constraint sets in linear programs, 1991).
/// Items at the front are left out first. limit: the approximate maximal duration.
template <class Item, class Proves>
Filtered<Item> deletionFilter(std::vector<Item> items, Proves proves, std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    for (std::size_t i = 0; i < items.size();) {
        if (std::chrono::steady_clock::now() > end) return {std::move(items), false};
        std::vector<Item> rest = items;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        if (proves(rest)) {
            items = std::move(rest);
        } else {
            ++i;
        }
    }
    return {std::move(items), true};
}

}    // namespace timetabling
