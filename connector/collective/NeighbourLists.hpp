#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry {

class Collectives;

/// The sources and destinations of a rank in a neighbourhood. A rank may be listed more than once: what is sent to it first comes
/// from the first place at which it lists the sender.
struct NeighbourLists {
    std::vector<int> sources;
    std::vector<int> destinations;
    std::string refusal;    ///< why the rank has none, if so
    std::string shape;      ///< of what they are the neighbours, in words, where that must be the same on every rank
    FERRY_FIELDS(sources, destinations, refusal, shape)

    /// The places in the list of destinations in the order in which they are sent to.
    std::vector<std::size_t> sendOrder{};
};

/// Compares the lists of all ranks, all together; returns this rank's.
/// Errors, the same on every rank: UsageError for a rank that does not exist, and for what a rank refuses; CollectiveMismatch when one rank
/// sends to another as often as that one does not receive from it, and when shapes differ.
std::shared_ptr<const NeighbourLists> agreeOnNeighbours(Collectives& collectives, NeighbourLists own);

}    // namespace ferry
