#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <ferry/connector/collective/NeighbourLists.hpp>

namespace ferry {

/// Ranks laid out in a grid: the last coordinate runs fastest, so that rank 1 lies beside rank 0 in the last dimension.
///
/// Errors: UsageError for extents that are not positive or do not make up the number of ranks, for a list of periodic dimensions of another
/// length, and for a dimension or a rank that does not exist.
class CartesianGrid {
public:
    /// periodic: in which dimensions the last and the first are neighbours; empty: in none.
    CartesianGrid(std::vector<int> extents, std::vector<bool> periodic, int rankCount);

    const std::vector<int>& extents() const noexcept { return extents_; }
    bool isPeriodic(int dimension) const { return periodic_[checked(dimension)]; }

    std::vector<int> coordinatesOf(int rank) const;

    /// The rank at these coordinates, which go on from the start in periodic dimensions; none where there is no rank.
    std::optional<int> rankAt(std::vector<int> coordinates) const;

    /// The rank so far away in a dimension; none where there is no rank.
    std::optional<int> rankBeside(int rank, int dimension, int distance) const;

    /// The nearest ranks in all dimensions, first downwards, then upwards in each.
    NeighbourLists neighboursOf(int rank) const;

    /// The place of the nearest rank in that list, downwards for a negative direction; none where there is no rank.
    std::optional<std::size_t> placeOf(int rank, int dimension, int direction) const;

private:
    std::size_t checked(int dimension) const;

    std::vector<int> extents_;
    std::vector<bool> periodic_;
    int rankCount_;
};

}    // namespace ferry
