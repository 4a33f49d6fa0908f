#pragma once

#include <concepts>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/serialization/ints/rangeConcepts.hpp>

namespace ferry {

namespace detail {

/// The vector of one rank: an element of a row, or the second of a pair of a rank and a vector.
template <class Part>
auto& partOf(Part& part) {
    if constexpr (requires { part.second; }) {
        return part.second;
    } else {
        return part;
    }
}

template <class Parts>
using FlatElement = std::ranges::range_value_t<decltype(partOf(std::declval<std::ranges::range_reference_t<Parts>>()))>;

/// A range of ranges, or of pairs of a rank and a range.
template <class Parts>
concept PartsOfRanks = std::ranges::forward_range<Parts> && requires {
    typename FlatElement<Parts>;
};

}    // namespace detail

/// Joins results by rank: the elements of all parts side by side, in their order. flat(connector.allToAll(parts)) is one vector. Takes a
/// vector of vectors, a map of vectors by rank, or a vector of pairs of a rank and a vector. The elements of a temporary are moved.
template <class Parts>
    requires detail::PartsOfRanks<Parts&>
auto flat(Parts&& parts) {
    std::vector<detail::FlatElement<Parts&>> all;
    std::size_t count = 0;
    for (auto& part : parts) count += static_cast<std::size_t>(std::ranges::distance(detail::partOf(part)));
    all.reserve(count);
    for (auto& part : parts) {
        auto& elements = detail::partOf(part);
        if constexpr (std::is_lvalue_reference_v<Parts> || std::is_const_v<std::remove_reference_t<Parts>>) {
            all.insert(all.end(), std::ranges::begin(elements), std::ranges::end(elements));
        } else {
            all.insert(all.end(), std::make_move_iterator(std::ranges::begin(elements)),
                       std::make_move_iterator(std::ranges::end(elements)));
        }
    }
    return all;
}

}    // namespace ferry
