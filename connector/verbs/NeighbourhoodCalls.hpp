#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include <ferry/connector/collective/CartesianNeighbourhood.hpp>
#include <ferry/connector/collective/Neighbourhood.hpp>
#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/verbs/StartedCalls.hpp>

namespace ferry {

/// The calls of a Connector that lay out its ranks: who exchanges values with whom. All ranks make them together.
class NeighbourhoodCalls : public StartedCalls {
public:
    /// This rank receives from the sources and sends to the destinations, each in this order. Costs an allGather of the lists, since every
    /// rank looks at all of them. Errors, the same on every rank: UsageError for a rank that does not exist; CollectiveMismatch when a rank
    /// has another one as a destination which has not it as a source, as often, or the other way round.
    Neighbourhood neighbourhood(std::vector<int> sources, std::vector<int> destinations, Deadline deadline = Deadline::never());

    /// All ranks in a grid of these extents. periodic: in which dimensions the last and the first are neighbours; none: in no dimension.
    /// Errors: UsageError on every rank when a rank's extents do not make up the number of ranks; CollectiveMismatch for different grids.
    CartesianNeighbourhood cartesian(std::vector<int> extents, std::vector<bool> periodic = {}, Deadline deadline = Deadline::never());

    template <std::integral Source, std::integral Destination>
    void neighbourhood(Source, Destination) = delete;    // ferry: list the ranks: neighbourhood({source}, {destination})
    template <std::integral Extent>
    void cartesian(Extent) = delete;    // ferry: list the extents: cartesian({rows, columns})

protected:
    using StartedCalls::StartedCalls;
    ~NeighbourhoodCalls() = default;
};

}    // namespace ferry
