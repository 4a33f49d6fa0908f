#pragma once

#include <chrono>
#include <optional>

#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/meeting/Waiting.hpp>

namespace ferry::pmpi {

/// Detects a wait in vain: for a rank that waits at the end of the region and will make no further call.
///
/// A rank that has waited at the end for a second tells all others. So does a rank that waits there for its non-blocking collectives. A
/// rank that waits for it in a collective asks it for its number of calls on that communicator. Other waits are in vain if they are only
/// for messages from or to such ranks, or for non-blocking collectives to which such ranks have not come. Such a wait goes on for five
/// seconds, since a sent message may be large. Requests that the region does not know are not seen. Ownership: borrows the meeting place
/// and the requests of the region.
class EndWatch {
public:
    EndWatch(MeetingPlace& meetingPlace, const Requests& requests) : meetingPlace_(meetingPlace), requests_(requests) {}

    /// Notes that a wait begins.
    void begin();
    /// Notes that the wait goes on. Returns a rank of the meeting place for which the wait is in vain.
    std::optional<int> look(const Waiting& waiting);

private:
    using Clock = std::chrono::steady_clock;

    std::optional<int> missingFrom(const Communicator& communicator, RollCall::Count count, std::uint64_t number) const;
    std::optional<int> silentPartner(const Waiting& waiting);
    std::optional<int> endedPeer(const Operation& operation) const;

    MeetingPlace& meetingPlace_;
    const Requests& requests_;
    Clock::time_point begin_;
    std::optional<Clock::time_point> inVainSince_;
};

}    // namespace ferry::pmpi
