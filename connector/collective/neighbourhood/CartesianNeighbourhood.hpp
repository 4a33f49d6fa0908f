#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/collective/neighbourhood/CartesianGrid.hpp>
#include <ferry/connector/collective/neighbourhood/Neighbourhood.hpp>

namespace ferry {

/// The neighbourhood of a rank in a grid: the nearest ranks in all dimensions. sources() and destinations() are the same list. The list
/// holds the lower and the upper neighbour in dimension 0, then both in dimension 1, and so on. Neighbours that do not exist at a border
/// are left out. Element i of an exchange goes to neighbour i and comes from neighbour i. This order also holds where both neighbours are
/// one rank, or the rank itself.
class CartesianNeighbourhood : public Neighbourhood {
public:
    /// All ranks call the constructor together (Connector::cartesian), with equal grids. Errors: as agreeOnNeighbours().
    CartesianNeighbourhood(detail::Collectives& collectives, detail::CartesianGrid grid, int rank)
        : Neighbourhood(collectives, grid.neighboursOf(rank)),
          grid_(std::move(grid)),
          rank_(rank) {}

    const detail::CartesianGrid& grid() const noexcept { return grid_; }
    std::vector<int> coordinates() const { return grid_.coordinatesOf(rank_); }

    /// The ranks from which this rank's new values come, and to which its values go, when all values move by a distance in one dimension. A
    /// member is empty beyond a border.
    struct Shift {
        std::optional<int> source;
        std::optional<int> destination;
    };
    Shift shift(int dimension, int distance) const {
        return {grid_.rankBeside(rank_, dimension, -distance), grid_.rankBeside(rank_, dimension, distance)};
    }

    /// Returns the index of a neighbour in the lists. direction: -1 for the lower neighbour, 1 for the upper one. Returns nothing beyond a
    /// border.
    std::optional<std::size_t> placeOf(int dimension, int direction) const { return grid_.placeOf(rank_, dimension, direction); }

private:
    detail::CartesianGrid grid_;
    int rank_;
};

}    // namespace ferry
