#pragma once

#include <functional>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/Standstill.hpp>

namespace ferry::detail {

/// The searches for deadlocks that a wait may be a part of: the search of its mailbox and those of the mailboxes around. Among all ranks of
/// the connector such a search goes on by itself; among the ranks of a group it does so for a team, or when the program asks for it.
///
/// The innermost search comes first, and the next one begins when the first has nothing more to do. So ranks of a team that wait for each
/// other are found as a deadlock of the team, and never as one of all ranks.
///
/// Ownership: borrows the mailbox for one wait, whose end it notes.
class Searches {
public:
    explicit Searches(Mailbox& waiting) noexcept : waiting_(waiting) {}
    Searches(const Searches&) = delete;
    Searches& operator=(const Searches&) = delete;
    ~Searches() {
        for (Mailbox* mailbox = &waiting_; mailbox != nullptr; mailbox = mailbox->nest().around()) mailbox->standstill().noteEndOfWait();
    }

    bool isAnyOn() const noexcept {
        for (Mailbox* mailbox = &waiting_; mailbox != nullptr; mailbox = mailbox->nest().around()) {
            if (mailbox->standstill().isOn()) return true;
        }
        return false;
    }

    /// To be called in a wait that finds nothing, as Standstill::look(). describe: describes the wait with the numbers of its mailbox.
    Standstill::Clock::time_point look(Waiter waiter, const std::function<Awaited()>& describe) {
        for (Mailbox* mailbox = &waiting_; mailbox != nullptr; mailbox = mailbox->nest().around()) {
            const auto describeThere = [&] { return waiting_.nest().countedIn(*mailbox, describe()); };
            const auto next = mailbox->standstill().look(waiter, std::cref(describeThere));    // a function of a reference needs no memory
            if (next != Standstill::Clock::time_point::max()) return next;
        }
        return Standstill::Clock::time_point::max();
    }

    /// Throws Deadlock when a search has found that the ranks are stuck, and that must end this wait.
    void throwIfStuck() {
        for (Mailbox* mailbox = &waiting_; mailbox != nullptr; mailbox = mailbox->nest().around()) mailbox->standstill().throwIfStuck();
    }

private:
    Mailbox& waiting_;
};

}    // namespace ferry::detail
