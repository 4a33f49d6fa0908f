#include <ferry/connector/collective/neighbourhood/CartesianGrid.hpp>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

constexpr int directions[] = {-1, 1};

/// Chooses extents in the places of zeros. They are as near each other as the prime factors of the rest allow, the greatest first.
void chooseExtents(std::vector<int>& extents, int rankCount) {
    std::vector<int> chosen;
    std::int64_t given = 1;
    for (const int extent : extents) {
        if (extent == 0) chosen.push_back(1);
        if (extent != 0) given *= extent;
        if (given < 0 || given > rankCount) return;
    }
    if (chosen.empty() || rankCount % given != 0) return;
    std::vector<int> factors;
    int rest = rankCount / static_cast<int>(given);
    for (int factor = 2; factor <= rest / factor; ++factor) {
        for (; rest % factor == 0; rest /= factor) factors.push_back(factor);
    }
    factors.push_back(rest);
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) *std::min_element(chosen.begin(), chosen.end()) *= *factor;
    std::sort(chosen.begin(), chosen.end());
    for (int& extent : extents) {
        if (extent != 0) continue;
        extent = chosen.back();
        chosen.pop_back();
    }
}

void requireProduct(const std::vector<int>& extents, int rankCount) {
    std::int64_t product = 1;
    for (const int extent : extents) {
        if (extent <= 0)
            throw UsageError(
                fmt::format("a grid needs 1 rank or more in each dimension, found {} ({})", extent, fmt::join(extents, " x ")));
        product *= extent;
        if (product > rankCount) break;
    }
    if (extents.empty()) throw UsageError("a grid needs 1 dimension or more, found none");
    if (product != rankCount)
        throw UsageError(fmt::format("the extents of a grid must multiply to the number of ranks: {} does not give {}",
                                     fmt::join(extents, " x "), rankCount));
}

}    // namespace

CartesianGrid::CartesianGrid(std::vector<int> extents, std::vector<bool> periodic, int rankCount)
    : extents_(std::move(extents)),
      periodic_(std::move(periodic)),
      rankCount_(rankCount) {
    chooseExtents(extents_, rankCount_);
    requireProduct(extents_, rankCount_);
    if (periodic_.empty()) periodic_.assign(extents_.size(), false);
    if (periodic_.size() != extents_.size())
        throw UsageError(
            fmt::format("a grid of {} dimensions needs a periodic flag for each dimension, found {}", extents_.size(), periodic_.size()));
}

std::size_t CartesianGrid::checked(int dimension) const {
    const auto index = static_cast<std::size_t>(dimension);
    if (dimension < 0 || index >= extents_.size())
        throw UsageError(fmt::format("dimension {} does not exist: the grid has {}", dimension, extents_.size()));
    return index;
}

std::vector<int> CartesianGrid::coordinatesOf(int rank) const {
    if (rank < 0 || rank >= rankCount_) throw UsageError(fmt::format("rank {} does not exist: the grid has {} ranks", rank, rankCount_));
    std::vector<int> coordinates(extents_.size());
    for (std::size_t i = extents_.size(); i-- > 0; rank /= extents_[i]) coordinates[i] = rank % extents_[i];
    return coordinates;
}

std::optional<int> CartesianGrid::rankAt(std::vector<int> coordinates) const {
    if (coordinates.size() != extents_.size())
        throw UsageError(fmt::format("found {} coordinates, expected one for each of the {} dimensions of the grid", coordinates.size(),
                                     extents_.size()));
    int rank = 0;
    for (std::size_t i = 0; i < extents_.size(); ++i) {
        const int extent = extents_[i];
        int coordinate = coordinates[i];
        if (periodic_[i]) coordinate = (coordinate % extent + extent) % extent;
        if (coordinate < 0 || coordinate >= extent) return std::nullopt;
        rank = rank * extent + coordinate;
    }
    return rank;
}

std::optional<int> CartesianGrid::rankBeside(int rank, int dimension, int distance) const {
    const std::size_t index = checked(dimension);
    std::vector<int> coordinates = coordinatesOf(rank);
    const std::int64_t extent = extents_[index];
    std::int64_t coordinate = std::int64_t{coordinates[index]} + distance;
    if (periodic_[index]) coordinate = (coordinate % extent + extent) % extent;
    if (coordinate < 0 || coordinate >= extent) return std::nullopt;
    coordinates[index] = static_cast<int>(coordinate);
    return rankAt(std::move(coordinates));
}

NeighbourLists CartesianGrid::neighboursOf(int rank) const {
    NeighbourLists lists;
    for (int dimension = 0; dimension < static_cast<int>(extents_.size()); ++dimension) {
        std::vector<std::size_t> places;
        for (const int direction : directions) {
            const std::optional<int> neighbour = rankBeside(rank, dimension, direction);
            if (!neighbour) continue;
            places.push_back(lists.sources.size());
            lists.sources.push_back(*neighbour);
        }
        // Both neighbours may be one rank. The value sent upwards comes to that rank from below, and a rank takes the value from below
        // first. So the value upwards is sent first.
        lists.sendOrder.insert(lists.sendOrder.end(), places.rbegin(), places.rend());
    }
    lists.destinations = lists.sources;
    std::vector<std::string_view> edges;
    for (const bool isPeriodic : periodic_) edges.emplace_back(isPeriodic ? "periodic" : "with borders");
    lists.shape = fmt::format("cartesian with a grid of {} ({})", fmt::join(extents_, " x "), fmt::join(edges, ", "));
    return lists;
}

std::optional<std::size_t> CartesianGrid::placeOf(int rank, int dimension, int direction) const {
    if (direction != -1 && direction != 1) throw UsageError(fmt::format("a direction is -1 or 1, not {}", direction));
    if (!rankBeside(rank, dimension, direction)) return std::nullopt;
    std::size_t place = 0;
    for (int before = 0; before <= dimension; ++before) {
        for (const int way : directions) {
            if (before == dimension && way == direction) return place;
            if (rankBeside(rank, before, way)) ++place;
        }
    }
    return place;
}

}    // namespace ferry::detail
