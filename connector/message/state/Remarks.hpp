#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ferry {

class ObjectFactory;

namespace detail {

class Filter;
class KeptLetters;
struct Packet;

/// The letters of a mailbox of this rank.
struct LettersOfRank {
    const KeptLetters& kept;
    const std::deque<Packet>* waiting = nullptr;    ///< packets that the mailbox has not taken in yet; null: none
    std::string_view place{};                       ///< the connector that they belong to, in words; empty: the one that waits
};

/// The things that a rank may have overlooked. Ownership: borrows all letters and the factory.
struct Overlooked {
    std::vector<LettersOfRank> letters;    ///< those of the connector that waits come first
    const ObjectFactory& factory;
    std::string work;    ///< work that such a wait does not do, in words; empty: none
};

/// Returns a few clauses for the error that ends a wait. The clauses name messages, values and graphs that nobody has received. The nearest
/// misses of the filter come first. The last clause names work that such a wait does not do.
/// filter: the awaited letters; null: the wait is for something else.
std::vector<std::string> remarksOn(Overlooked overlooked, const Filter* filter);

/// The name of the class of a graph's root. name: the type of the graph's letters, as a compiler spells it.
std::string rootOfGraph(std::string_view name);

}    // namespace detail

}    // namespace ferry
