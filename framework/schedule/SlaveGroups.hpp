#pragma once

#include <vector>

namespace ferry::detail {

/// The slaves that get their tasks from a sub-master, and the ranks that are sub-masters. All ranks of a job know the groups. Pure logic.
///
/// The ranks from 1 on are cut into pieces: one sub-master, then the slaves of its group. If the last ranks are too few for a group of two
/// slaves, they are slaves of the master. So are ranks that join later.
class SlaveGroups {
public:
    static constexpr int leastSize = 2;

    /// No groups: all slaves are the master's.
    SlaveGroups() = default;
    /// The groups of a job whose user has said nothing of groups: none for fewer than `automaticFrom` other ranks. Otherwise groups of at
    /// most `automaticSize` slaves, and all but the last are equal.
    static SlaveGroups automatic(int otherRanks);
    static constexpr int automaticFrom = 1024;
    static constexpr int automaticSize = 255;

    /// For a job of a master and otherRanks other ranks, with groups of `size` slaves. Errors: UsageError for a size less than two.
    SlaveGroups(int otherRanks, int size);

    bool isEmpty() const noexcept { return groupedRanks_ == 0; }
    bool isSubMaster(int rank) const noexcept { return isGrouped(rank) && (rank - 1) % pieceSize() == 0; }
    /// Whether the rank gets its tasks from a sub-master.
    bool isInGroup(int rank) const noexcept { return isGrouped(rank) && !isSubMaster(rank); }
    /// The rank that gives this rank its tasks: the sub-master of its group, or 0.
    int masterOf(int rank) const noexcept { return isInGroup(rank) ? rank - (rank - 1) % pieceSize() : 0; }
    /// The slaves of a sub-master's group.
    std::vector<int> slavesOf(int subMaster) const;
    std::vector<int> subMasters() const;

private:
    int pieceSize() const noexcept { return size_ + 1; }
    bool isGrouped(int rank) const noexcept { return rank >= 1 && rank <= groupedRanks_; }

    int size_ = 0;
    int groupedRanks_ = 0;    ///< the ranks from 1 to this one belong to groups
};

}    // namespace ferry::detail
