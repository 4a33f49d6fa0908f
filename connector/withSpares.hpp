#pragma once

#include <functional>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry {

/// The places of a program that spare ranks have taken. The same on every member.
struct PlacesTaken {
    int round = 0;              ///< how often ranks were lost
    std::vector<int> places;    ///< the members whose ranks were lost since the last round, in ascending order

    /// Whether this member is a spare rank that has just taken a place, and so knows nothing of the rounds before.
    bool isNew(int member) const { return std::binary_search(places.begin(), places.end(), member); }
};

/// Runs a program that may lose ranks, and replaces lost ranks by spare ones. The last ranks of the connector are spare ranks, and wait.
/// The other ranks are the members, and run the program. When members are lost, spare ranks take their places, and the program begins
/// again. The number of members stays the same, and each member that is left keeps its number. All ranks of the connector call withSpares()
/// together. They leave it when the program has ended on all members. When spare ranks do not suffice, they leave it with LostRank.
///
///     ferry::withSpares(world, 2, [&](ferry::Connector& members, const ferry::PlacesTaken& taken) {
///         if (taken.round > 0) fetchState(members, taken);
///         solve(members);
///     });
///
/// The program lets LostRank pass. Each rank keeps what it needs to go on outside of the program. Calls of `members` are those of a group.
/// Errors: UsageError for a number of spare ranks that leaves no member; LostRank, on every rank that is left, when members are lost and
/// no spare rank is left. Exceptions of the program.
void withSpares(Connector& connector, int spareCount, const std::function<void(Connector& members, const PlacesTaken& taken)>& program);

}    // namespace ferry
