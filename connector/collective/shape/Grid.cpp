#include <ferry/connector/collective/shape/Grid.hpp>

#include <algorithm>
#include <cmath>

namespace ferry::detail {

Grid::Grid(int rankCount)
    : rankCount_(rankCount),
      columnCount_(std::max(static_cast<int>(std::ceil(std::sqrt(rankCount))), 1)),
      fullRowCount_(rankCount / columnCount_) {}

std::vector<int> Grid::ranksOfColumn(int column) const {
    std::vector<int> ranks;
    for (int rank = column; rank < rankCount_; rank += columnCount_) ranks.push_back(rank);
    return ranks;
}

int Grid::stopBetween(int rank, int column) const noexcept {
    const int inRow = rank - columnOf(rank) + column;
    return inRow < rankCount_ ? inRow : columnOf(rank) % fullRowCount_ * columnCount_ + column;
}

std::vector<int> Grid::sendersThrough(int rank) const {
    std::vector<int> senders;
    const int row = rank / columnCount_;
    for (int sender = row * columnCount_; sender < std::min((row + 1) * columnCount_, rankCount_); ++sender) senders.push_back(sender);
    if (row >= fullRowCount_) return senders;
    for (int sender = fullRowCount_ * columnCount_; sender < rankCount_; ++sender) {
        if (stopBetween(sender, columnOf(rank)) == rank) senders.push_back(sender);
    }
    return senders;
}

}    // namespace ferry::detail
