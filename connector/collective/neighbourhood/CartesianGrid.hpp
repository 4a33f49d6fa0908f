#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ferry/connector/collective/neighbourhood/NeighbourLists.hpp>

namespace ferry::detail {

/// Ranks laid out in a grid. The last coordinate runs fastest: rank 1 lies beside rank 0 in the last dimension.
///
/// Errors: UsageError for negative extents, or extents whose product is not the number of ranks. UsageError for a list of periodic
/// dimensions of another length, and for a dimension or a rank that does not exist.
class CartesianGrid {
public:
    /// extents: an extent of 0 is chosen, as near to the other chosen ones as the number of ranks allows.
    /// periodic: for each dimension, whether its last and its first rank are neighbours; empty: no dimension is periodic.
    CartesianGrid(std::vector<int> extents, std::vector<bool> periodic, int rankCount);

    const std::vector<int>& extents() const noexcept { return extents_; }
    bool isPeriodic(int dimension) const { return periodic_[checked(dimension)]; }

    std::vector<int> coordinatesOf(int rank) const;

    /// Returns the rank at these coordinates. Coordinates wrap around in periodic dimensions. Returns nothing where there is no rank.
    std::optional<int> rankAt(std::vector<int> coordinates) const;

    /// Returns the rank at this distance in a dimension; nothing where there is no rank.
    std::optional<int> rankBeside(int rank, int dimension, int distance) const;

    /// Lists the nearest ranks of all dimensions. In each dimension the lower neighbour comes first, then the upper one.
    NeighbourLists neighboursOf(int rank) const;

    /// Returns the index of a neighbour in the list of neighboursOf(). direction: -1 for the lower neighbour, 1 for the upper one. Returns
    /// nothing where there is no rank.
    std::optional<std::size_t> placeOf(int rank, int dimension, int direction) const;

private:
    std::size_t checked(int dimension) const;

    std::vector<int> extents_;
    std::vector<bool> periodic_;
    int rankCount_;
};

}    // namespace ferry::detail
