#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry::detail {

class Collectives;

/// The sources and destinations of a rank in a neighbourhood. A rank may be listed more than once. The first value sent to such a rank
/// comes from the first place at which that rank lists the sender.
struct NeighbourLists {
    std::vector<int> sources;
    std::vector<int> destinations;
    std::string refusal;    ///< why the rank has no lists, if so
    std::string shape;      ///< the structure in which the ranks are neighbours, in words, where it must be the same on every rank
    FERRY_FIELDS_SOME_DECLARED(sources, destinations, refusal, shape)

    /// The indices of the destinations, in the order of sending.
    std::vector<std::size_t> sendOrder{};
};

/// Compares the lists of all ranks; all ranks call it together. Returns this rank's lists.
/// Errors, the same on every rank: UsageError for a rank that does not exist, and when a rank refuses. CollectiveMismatch when one rank
/// lists another as a destination more or less often than that rank lists it as a source, and when shapes differ.
std::shared_ptr<const NeighbourLists> agreeOnNeighbours(Collectives& collectives, NeighbourLists own);

}    // namespace ferry::detail
