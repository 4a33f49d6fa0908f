#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/Letters.hpp>

namespace ferry::pmpi {

/// Finds out when all ranks of a communicator have come to a call, without a wait: counts go up a binary tree of its ranks, and what all
/// have come to goes down again. A barrier of MPI would not do: non-blocking calls on one communicator must be made in the same order
/// everywhere.
class EntryTree {
public:
    /// communicator: the channel's duplicate.
    EntryTree(MPI_Comm communicator, int size);

    void beginRegion(std::int32_t region);
    /// This rank has come to one more call on the communicator. Its number, from 1 in each region.
    std::uint64_t enter(const Communicator& communicator);
    /// How many calls on the communicator this rank has come to.
    std::uint64_t enteredOn(std::int32_t communicator) const;
    /// How many all its ranks have come to, as far as that is known here.
    std::uint64_t enteredByAll(const Communicator& communicator) const;
    /// Takes in what has come, and hands it on.
    void look();

    /// Receives what is still on its way. Collective.
    void end() { letters_.end(); }

private:
    enum Direction : std::int64_t { Up, Down };
    struct Tree {
        std::uint64_t own = 0;
        std::uint64_t toldUp = 0;
        std::uint64_t all = 0;
        int parent = -1;    ///< ranks of the channel, as soon as this rank has come to a call; -1: it is the root
        std::vector<int> children;
        std::map<int, std::uint64_t> below;    ///< by child: all ranks from there on downward have come to so many
    };

    void place(Tree& tree, const Communicator& communicator) const;
    void handOn(std::int32_t communicator, Tree& tree);
    void tellAll(std::int32_t communicator, Tree& tree, std::uint64_t all);

    Letters letters_;
    std::map<std::int32_t, Tree> trees_;    // by the ids of communicators
};

}    // namespace ferry::pmpi
