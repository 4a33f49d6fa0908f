#pragma once

#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace timetabling {

template <class Item>
struct Filtered {
    std::vector<Item> items;
    bool isMinimal = true;    ///< false: there was no time to try each
};

/// Those of the items without any of which the proof fails, when it holds with all of them: each is left out in turn, and comes back when
/// the proof fails without it (deletion filter: J. Chinneck and E. Dravnieks, Locating minimal infeasible constraint sets in linear
/// programs, 1991). What is first is left out more readily. Takes about so long at most.
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
