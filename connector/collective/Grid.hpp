#pragma once

#include <vector>

namespace ferry {

/// The ranks in rows, one behind the other, of about as many columns as there are rows; the last row may be shorter. A message from one
/// rank to another goes along the sender's row to the receiver's column, and along that. Where the last row has nobody in that column,
/// ranks of it use ranks of the rows above, in turn.
class Grid {
public:
    explicit Grid(int rankCount);

    int columnCount() const noexcept { return columnCount_; }
    int columnOf(int rank) const noexcept { return rank % columnCount_; }

    /// From above.
    std::vector<int> ranksOfColumn(int column) const;
    /// Where the rank's messages to ranks of the column are handed on: a rank of that column.
    int stopBetween(int rank, int column) const noexcept;
    /// The ranks whose messages to the column of this one are handed on by it, ascending; itself among them.
    std::vector<int> sendersThrough(int rank) const;

private:
    int rankCount_;
    int columnCount_;
    int fullRowCount_;
};

}    // namespace ferry
