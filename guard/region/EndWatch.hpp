#pragma once

#include <chrono>
#include <optional>

#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/meeting/Waiting.hpp>

namespace ferry::pmpi {

/// Finds out that a call waits for what can never come: for a rank that waits at the end of the region.
///
/// A rank that has waited there for a second tells all others, and so does one that waits there for its non-blocking collectives. Who waits
/// for it in a collective asks it how many it has come to on that communicator. Who waits for nothing but messages from such ranks, or to
/// them, or non-blocking collectives to which they have not come, goes on waiting for five seconds, since what has been sent may be large.
/// Not seen are requests that the region does not know. Ownership: borrows the channel and the requests of the region.
class EndWatch {
public:
    EndWatch(Channel& channel, const Requests& requests) : channel_(channel), requests_(requests) {}

    /// A wait begins.
    void begin();
    /// It goes on. A rank of the channel for which it is in vain.
    std::optional<int> look(const Waiting& waiting);

private:
    using Clock = std::chrono::steady_clock;

    std::optional<int> missingFrom(const Communicator& communicator, RollCall::Count count, std::uint64_t number) const;
    std::optional<int> silentPartner(const Waiting& waiting);
    std::optional<int> endedPeer(const Operation& operation) const;

    Channel& channel_;
    const Requests& requests_;
    Clock::time_point begin_;
    std::optional<Clock::time_point> inVainSince_;
};

}    // namespace ferry::pmpi
