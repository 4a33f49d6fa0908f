#include <ferry/connector/message/mailboxCalls.hpp>

#include <utility>

#include <ferry/connector/message/Background.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/KeptLetters.hpp>

namespace ferry::detail {

Lifetime::Mark lifetimeOf(Mailbox& mailbox) noexcept { return mailbox.background().lifetime().mark(); }

Mailbox& outermostOf(Mailbox& mailbox) noexcept { return mailbox.nest().outermost(); }

bool hasWaitLimit(Mailbox& mailbox) noexcept { return mailbox.nest().limit().isSet(); }

void throwIfLost(Mailbox& mailbox, int rank) { mailbox.departures().throwIfLost(rank); }

bool hasLeft(Mailbox& mailbox, int rank) noexcept { return mailbox.departures().hasLeft(rank); }

bool isHopeless(Mailbox& mailbox, const Filter& filter) noexcept { return mailbox.departures().isHopeless(filter); }

void expectLetters(Mailbox& mailbox, const std::shared_ptr<Expectation>& expectation) { mailbox.arrived().expect(expectation); }

void beginWork(Mailbox& mailbox, std::shared_ptr<BackgroundWork> work) { mailbox.background().begin(std::move(work)); }

}    // namespace ferry::detail
