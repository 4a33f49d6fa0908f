#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>

namespace ferry::pmpi {

/// A meeting of some ranks of a region before a call that they make together, on no communicator of their own. Each of them can be woken
/// while it waits there; in the library it could not.
///
/// The ranks tell a leader that they have come, and the leader lets them go. A region that fails meanwhile leaves messages on the meeting
/// place, so a gate is for a region around a whole program, which ends then. Ranks that were let go before may then be in the call.
/// Ownership: borrows the meeting place.
class GroupGate {
public:
    /// ranks: of the meeting place, in an order that is equal on all of them; the first one leads. tag: only gates with one tag meet.
    /// otherLeader: the leader of a second group that is to come, for the leader; empty: there is none, or this rank does not lead.
    GroupGate(const MeetingPlace& meetingPlace, std::vector<int> ranks, int tag, std::optional<int> otherLeader);

    /// The ranks for which this rank may wait.
    std::vector<Operation> awaited() const;
    /// Looks for messages. Returns whether all have come.
    bool isOver();

private:
    bool isLeader() const noexcept { return meetingPlace_.rank() == ranks_.front(); }
    bool take(int from, int tag) const;
    void tell(int to, int tag) const;

    const MeetingPlace& meetingPlace_;
    std::vector<int> ranks_;
    int gateTag_;
    std::optional<int> otherLeader_;
    std::size_t cameCount_ = 1;    // for the leader: ranks from the first one on that have come
    bool hasTold_ = false;         // the other leader that all have come
    bool isOver_ = false;
};

}    // namespace ferry::pmpi
