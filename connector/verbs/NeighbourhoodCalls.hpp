#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include <ferry/connector/collective/neighbourhood/CartesianNeighbourhood.hpp>
#include <ferry/connector/collective/neighbourhood/Neighbourhood.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/verbs/StartedCalls.hpp>

namespace ferry::detail {

/// The calls of a Connector that lay out its ranks: they say which ranks exchange values with each other. All ranks make them together.
class NeighbourhoodCalls : public StartedCalls {
public:
    /// Makes a neighbourhood. This rank receives from the sources and sends to the destinations, each in this order. The call costs an
    /// allGather of the lists, since every rank checks all of them.
    /// Errors, the same on every rank: UsageError for a rank that does not exist. CollectiveMismatch when rank a lists b as a destination
    /// more or fewer times than b lists a as a source.
    Neighbourhood neighbourhood(std::vector<int> sources, std::vector<int> destinations, Deadline deadline = Deadline::never());

    /// Arranges all ranks in a grid of these extents. cartesian({0, 0}) chooses both, near to each other. periodic: for each dimension,
    /// whether its last and first ranks are neighbours; empty: in no dimension.
    /// Errors: UsageError on every rank when the extents of a rank do not make up the number of ranks. CollectiveMismatch for different
    /// grids.
    CartesianNeighbourhood cartesian(std::vector<int> extents, std::vector<bool> periodic = {}, Deadline deadline = Deadline::never());

    template <std::integral Source, std::integral Destination>
    void neighbourhood(Source, Destination) = delete;    // ferry: list the ranks: neighbourhood({source}, {destination})
    template <std::integral Extent>
    void cartesian(Extent) = delete;    // ferry: list the extents: cartesian({rows, columns})

protected:
    using StartedCalls::StartedCalls;
    ~NeighbourhoodCalls() = default;
};

}    // namespace ferry::detail
