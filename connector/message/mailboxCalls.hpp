#pragma once

#include <memory>

#include <ferry/connector/message/BackgroundWork.hpp>
#include <ferry/connector/message/letter/Expectation.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>
#include <ferry/connector/message/state/Lifetime.hpp>

namespace ferry::detail {

class Mailbox;

// Calls to the parts of a mailbox, for templates in headers for users. So programs compile without the parts.

/// The mark of the mailbox's life.
Lifetime::Mark lifetimeOf(Mailbox& mailbox) noexcept;
/// The outermost mailbox around this one.
Mailbox& outermostOf(Mailbox& mailbox) noexcept;
/// Whether the waits of the mailbox have a limit at present.
bool hasWaitLimit(Mailbox& mailbox) noexcept;

/// Throws LostRank when the rank is lost.
void throwIfLost(Mailbox& mailbox, int rank);
/// Whether no more letters of the rank will come (Departures::hasLeft).
bool hasLeft(Mailbox& mailbox, int rank) noexcept;
/// Whether no matching letter can come any more (Departures::isHopeless).
bool isHopeless(Mailbox& mailbox, const Filter& filter) noexcept;

/// Keeps letters for the expectation (KeptLetters::expect).
void expectLetters(Mailbox& mailbox, const std::shared_ptr<Expectation>& expectation);
/// Begins work that goes on while this rank does other things (Background::begin).
void beginWork(Mailbox& mailbox, std::shared_ptr<BackgroundWork> work);

}    // namespace ferry::detail
