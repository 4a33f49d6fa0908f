#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include <ferry/connector/collective/GivenUpCollectives.hpp>
#include <ferry/connector/collective/StartedCollective.hpp>
#include <ferry/connector/message/Envelope.hpp>
#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// The collectives that this rank has started and that are not done: brings each its letters.
///
/// Ownership: shares the collectives with whoever waits for their values; borrows the mailbox. Threads: the one thread of its rank.
class StartedCollectives {
public:
    explicit StartedCollectives(Mailbox& mailbox) noexcept : mailbox_(mailbox) {}
    StartedCollectives(const StartedCollectives&) = delete;
    StartedCollectives& operator=(const StartedCollectives&) = delete;

    /// Begins one whose steps have this envelope: it does its first step now.
    void begin(const std::shared_ptr<StartedCollective>& collective, const Envelope& envelope);

    /// Whether the letter is of one of these collectives, which has taken it then, or of one that this rank has given up.
    bool offer(Letter& letter);

    /// Waits until all are done. Throws what is due at the mailbox.
    void finish();
    /// Waits until all are done, the deadline has passed, or the job is stopped. Throws nothing that is due.
    void finishBefore(Mailbox::Clock::time_point deadline);

    /// Ends those whose regions the predicate names: these regions have failed.
    void endThoseOf(const std::function<bool(std::int32_t region)>& isOver);

    // Called by a collective that ends.
    void forget(const Envelope& envelope) { underWay_.erase(placeOf(envelope)); }
    /// Tells all other ranks that this one does not finish it, and why. Letters of it that come later are dropped.
    void giveUp(const Envelope& envelope, const std::exception_ptr& reason);

private:
    /// Region and number.
    using Place = std::pair<std::int32_t, std::int32_t>;
    static Place placeOf(const Envelope& envelope) noexcept { return {envelope.region, envelope.number}; }

    Mailbox& mailbox_;
    std::map<Place, std::shared_ptr<StartedCollective>> underWay_;
    GivenUpCollectives givenUp_;
};

}    // namespace ferry::detail
