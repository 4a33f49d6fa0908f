#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry {

/// The places of a program that spare ranks have taken. The same on every member.
struct PlacesTaken {
    int round = 0;              ///< how often ranks were lost
    std::vector<int> places;    ///< the members whose ranks were lost since the last round, in ascending order

    /// Whether this member is a spare rank that has just taken a place, and so knows nothing of the rounds before.
    bool isNew(int member) const { return std::binary_search(places.begin(), places.end(), member); }
};

/// Runs a program of which some ranks may be lost, while the last ranks of the connector are spare. The program runs on the members, all
/// ranks but the spare ones, which wait. When members are lost, spare ranks take their places: the program begins again on as many members
/// as before, each of which has the number that it had. All ranks of the connector call withSpares() together, and leave it when the
/// program has ended on all members, or with its LostRank when spare ranks do not suffice.
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
