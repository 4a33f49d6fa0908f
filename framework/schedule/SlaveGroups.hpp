#pragma once

#include <vector>

namespace ferry {

/// Which slaves get their tasks from a sub-master, and which ranks are sub-masters. All ranks of a job know it. Pure logic.
///
/// The ranks from 1 on are cut into pieces of one sub-master and the slaves of its group, in this order. Ranks that are too few for a group
/// of two, and those that join later, are slaves of the master itself.
class SlaveGroups {
public:
    static constexpr int leastSize = 2;

    /// None: all slaves are the master's.
    SlaveGroups() = default;
    /// For a job of a master and so many other ranks, groups of so many slaves. Errors: UsageError for groups of less than two.
    SlaveGroups(int otherRanks, int size);

    bool isEmpty() const noexcept { return groupedRanks_ == 0; }
    bool isSubMaster(int rank) const noexcept { return isGrouped(rank) && (rank - 1) % pieceSize() == 0; }
    /// Whether the rank gets its tasks from a sub-master.
    bool isInGroup(int rank) const noexcept { return isGrouped(rank) && !isSubMaster(rank); }
    /// Who gives this rank its tasks: the sub-master of its group, or 0.
    int masterOf(int rank) const noexcept { return isInGroup(rank) ? rank - (rank - 1) % pieceSize() : 0; }
    /// The slaves of a sub-master's group.
    std::vector<int> slavesOf(int subMaster) const;
    std::vector<int> subMasters() const;

private:
    int pieceSize() const noexcept { return size_ + 1; }
    bool isGrouped(int rank) const noexcept { return rank >= 1 && rank <= groupedRanks_; }

    int size_ = 0;
    int groupedRanks_ = 0;    ///< from 1 on
};

}    // namespace ferry
