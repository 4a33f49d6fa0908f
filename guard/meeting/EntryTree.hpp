#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/SideMessages.hpp>

namespace ferry::pmpi {

/// Finds out, without a wait, when all ranks of a communicator have come to a call. Counts go up a binary tree of its ranks; the count that
/// all ranks have reached goes down again. A barrier of MPI would not do: non-blocking calls on one communicator must be made in the same
/// order on all ranks.
///
/// Hashes of the calls go up with the counts. A rank whose call differs from that of a rank below hands its count on no further, so that
/// no rank makes the call.
class EntryTree {
public:
    /// A call on a communicator.
    struct Place {
        std::int32_t communicator = -1;    ///< id
        std::uint64_t number = 0;
    };

    /// communicator: the meeting place's duplicate.
    EntryTree(MPI_Comm communicator, int size);

    void beginRegion(std::int32_t region);
    /// Notes that this rank has come to one more call on the communicator. Returns the number of the call, from 1 in each region.
    /// hash: of the call.
    std::uint64_t enter(const Communicator& communicator, std::uint32_t hash);
    /// The first call for which this rank has found a rank that calls something else; empty: none.
    const std::optional<Place>& disagreement() const noexcept { return disagreement_; }
    /// The number of calls on the communicator to which this rank has come.
    std::uint64_t enteredOn(std::int32_t communicator) const;
    /// The number of calls to which all ranks of the communicator have come, as far as this rank knows.
    std::uint64_t enteredByAll(const Communicator& communicator) const;
    /// Forgets a communicator that all its ranks have freed, when no call on it is under way.
    void forget(std::int32_t communicator) { trees_.erase(communicator); }
    /// The number of communicators with calls.
    std::size_t communicatorCount() const noexcept { return trees_.size(); }
    /// Takes in the side messages that have arrived, and passes counts on.
    void look();

    /// Receives all side messages that are still under way. Collective.
    void end() { sideMessages_.end(); }

private:
    enum Direction : std::int64_t { Up, Down };
    struct Tree {
        std::uint64_t own = 0;
        std::uint64_t toldUp = 0;
        std::uint64_t all = 0;
        int parent = -1;    ///< rank in the meeting place, set when this rank comes to its first call; -1: this rank is the root
        std::vector<int> children;
        std::map<int, std::uint64_t> below;               ///< by child: number of calls to which all ranks of its subtree have come
        std::map<std::uint64_t, std::uint32_t> hashes;    ///< of own calls, by number, to which not all ranks have come
        std::multimap<std::uint64_t, std::pair<int, std::uint32_t>> reports;    ///< by number: child and hash, until the own call is there
    };

    void compare(std::int32_t communicator, Tree& tree);

    void place(Tree& tree, const Communicator& communicator) const;
    void handOn(std::int32_t communicator, Tree& tree);
    void tellAll(std::int32_t communicator, Tree& tree, std::uint64_t all);

    SideMessages sideMessages_;
    std::map<std::int32_t, Tree> trees_;    // by the id of the communicator
    std::optional<Place> disagreement_;
};

}    // namespace ferry::pmpi
