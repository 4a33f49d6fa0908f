#pragma once

#include <vector>

namespace ferry::detail {

/// The ranks in rows, one row behind the other, with about as many columns as rows. The last row may be shorter. A letter from one rank to
/// another goes along the sender's row to the receiver's column, then along that column. Where the last row has no rank in that column, its
/// ranks use ranks of the rows above, in turn.
class Grid {
public:
    explicit Grid(int rankCount);

    int columnCount() const noexcept { return columnCount_; }
    int columnOf(int rank) const noexcept { return rank % columnCount_; }

    /// The ranks of a column, from the top down.
    std::vector<int> ranksOfColumn(int column) const;
    /// Returns the rank of the column that hands on the rank's letters to that column.
    int stopBetween(int rank, int column) const noexcept;
    /// Lists the ranks whose letters to the column of this rank are handed on by this rank, ascending. The list includes the rank itself.
    std::vector<int> sendersThrough(int rank) const;

private:
    int rankCount_;
    int columnCount_;
    int fullRowCount_;
};

}    // namespace ferry::detail
