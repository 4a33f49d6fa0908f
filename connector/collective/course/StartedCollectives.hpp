#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <ferry/connector/collective/course/GivenUpCollectives.hpp>
#include <ferry/connector/collective/course/StartedCollective.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>

namespace ferry::detail {

/// The collectives that this rank has started and that are not done. The class brings each collective its letters.
///
/// Ownership: shares the collectives with the calls that wait for their values; borrows the mailbox. Threads: the one thread of its rank.
class StartedCollectives {
public:
    explicit StartedCollectives(Mailbox& mailbox) : mailbox_(mailbox) {}
    StartedCollectives(const StartedCollectives&) = delete;
    StartedCollectives& operator=(const StartedCollectives&) = delete;

    /// Begins a collective whose steps have this envelope. The collective does its first step now.
    void begin(const std::shared_ptr<StartedCollective>& collective, const Envelope& envelope);

    /// Returns true when the letter belongs to one of these collectives, which takes it, or to a collective that this rank has given up.
    bool offer(Letter& letter);

    /// Waits until all collectives are done. Throws any exception that is due at the mailbox.
    void finish();
    /// Waits until all collectives are done, the deadline has passed, or the job is stopped. Throws no exception that is due.
    void finishBefore(Mailbox::Clock::time_point deadline);

    /// Ends the collectives of the regions that the predicate names. These regions have failed.
    void endThoseOf(const std::function<bool(std::int32_t region)>& isOver);

    // The next functions are for a collective that ends.
    void forget(const Envelope& envelope);
    /// Tells all other ranks that this rank does not finish the collective, and why. Later letters of the collective are dropped.
    void giveUp(const Envelope& envelope, const std::exception_ptr& reason);

private:
    /// Region and number of a collective.
    using Place = std::pair<std::int32_t, std::int32_t>;
    static Place placeOf(const Envelope& envelope) noexcept { return {envelope.region, envelope.number}; }

    Mailbox& mailbox_;
    std::map<Place, std::shared_ptr<StartedCollective>> underWay_;
    GivenUpCollectives givenUp_;
};

}    // namespace ferry::detail
