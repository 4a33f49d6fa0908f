#include <ferry/connector/verbs/NeighbourhoodCalls.hpp>

#include <optional>
#include <string>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

Neighbourhood NeighbourhoodCalls::neighbourhood(std::vector<int> sources, std::vector<int> destinations, Deadline deadline) {
    const DeadlineScope scope(mailbox_, deadline);
    return Neighbourhood(collectives_, {std::move(sources), std::move(destinations), {}, {}});
}

CartesianNeighbourhood NeighbourhoodCalls::cartesian(std::vector<int> extents, std::vector<bool> periodic, Deadline deadline) {
    const DeadlineScope scope(mailbox_, deadline);
    std::optional<CartesianGrid> grid;
    std::string refusal;
    try {
        grid.emplace(std::move(extents), std::move(periodic), size());
    } catch (const UsageError& error) {
        refusal = error.what();
    }
    if (!grid) {
        agreeOnNeighbours(collectives_, {{}, {}, refusal, {}});    // tells the other ranks, too
        throw UsageError(refusal);
    }
    return CartesianNeighbourhood(collectives_, std::move(*grid), rank());
}

}    // namespace ferry::detail
