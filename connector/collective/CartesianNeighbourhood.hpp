#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/collective/CartesianGrid.hpp>
#include <ferry/connector/collective/Neighbourhood.hpp>

namespace ferry {

/// The neighbourhood of a rank in a grid: the nearest ranks in all dimensions. sources() and destinations() are the same list, downwards
/// and upwards in dimension 0, then in dimension 1 and so on, without those that do not exist at a border: element i of an exchange goes to
/// neighbour i, and comes from neighbour i. So it is also where both neighbours are one rank, or the rank itself.
class CartesianNeighbourhood : public Neighbourhood {
public:
    /// All ranks together (Connector::cartesian), with equal grids. Errors: those of agreeOnNeighbours().
    CartesianNeighbourhood(Collectives& collectives, CartesianGrid grid, int rank)
        : Neighbourhood(collectives, grid.neighboursOf(rank)),
          grid_(std::move(grid)),
          rank_(rank) {}

    const CartesianGrid& grid() const noexcept { return grid_; }
    std::vector<int> coordinates() const { return grid_.coordinatesOf(rank_); }

    /// Where this rank's values go, and where values for it come from, when all are moved so far in a dimension; none beyond a border.
    struct Shift {
        std::optional<int> source;
        std::optional<int> destination;
    };
    Shift shift(int dimension, int distance) const {
        return {grid_.rankBeside(rank_, dimension, -distance), grid_.rankBeside(rank_, dimension, distance)};
    }

    /// The place of a neighbour in the lists: direction -1 downwards, 1 upwards; none beyond a border.
    std::optional<std::size_t> placeOf(int dimension, int direction) const { return grid_.placeOf(rank_, dimension, direction); }

private:
    CartesianGrid grid_;
    int rank_;
};

}    // namespace ferry
