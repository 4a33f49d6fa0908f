#include <ferry/guard/meeting/Membership.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/ranksIn.hpp>

namespace ferry::pmpi {

namespace {

/// The rank in `other` of each rank of the communicator; MPI_UNDEFINED for ranks that are not in `other`.
std::vector<int> ranksOfMembers(MPI_Comm other, const Communicator& communicator) {
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Group otherGroup = MPI_GROUP_NULL;
    must(PMPI_Comm_group(communicator.handle, &group), "MPI_Comm_group");
    must(PMPI_Comm_group(other, &otherGroup), "MPI_Comm_group");
    std::vector<int> found = ranksIn(otherGroup, group);
    must(PMPI_Group_free(&group), "MPI_Group_free");
    must(PMPI_Group_free(&otherGroup), "MPI_Group_free");
    return found;
}

}    // namespace

bool isWithin(Communicator& communicator, const MeetingPlace& meetingPlace) {
    if (communicator.checkedFor != meetingPlace.serial()) {
        std::vector<int> ranks = ranksOfMembers(meetingPlace.own(), communicator);
        const bool hasOthers = std::find(ranks.begin(), ranks.end(), MPI_UNDEFINED) != ranks.end();
        if (hasOthers) ranks.clear();
        communicator.regionRanks = std::move(ranks);
        ArrivalTree arrivals = meetingPlace.hostPeers().treeFor(communicator);
        arrivals.continueFrom(communicator.arrivals);
        communicator.arrivals = arrivals;
        communicator.checkedFor = meetingPlace.serial();
    }
    return !communicator.regionRanks.empty();
}

}    // namespace ferry::pmpi
