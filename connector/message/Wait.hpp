#pragma once

#include <cstdint>

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/LetterQueue.hpp>

namespace ferry {

/// Whose wait it is, which decides what may end it besides what is waited for. Numbers travel and are frozen: docs/wire-format.md.
enum class Waiter : std::int32_t {
    Call = 1,       ///< a call of the user: what is due, its deadline, a deadlock
    Meeting = 2,    ///< a rank at the end of a guarded region: its deadline, a deadlock of which no call is a part
    Idle = 3,       ///< a rank that serves and has nothing to do: what is due
    Sending = 4,    ///< a call whose letters leave, or are taken in, when others do anything: what is due, its deadline
    Ending = 5,     ///< the end of a job, or the beginning: the time that it was given
};

/// One wait of a rank.
struct Wait {
    Waiter waiter = Waiter::Call;
    Deadline::Clock::time_point until = Deadline::Clock::time_point::max();
    const Filter* filter = nullptr;    ///< of the letters one of which would end it; null: other things would

    /// Whether what is due is thrown from it.
    bool isInterruptible() const noexcept { return waiter != Waiter::Meeting && waiter != Waiter::Ending; }
    /// Whether only letters of other ranks can end it, so that it may be a part of a deadlock.
    bool dependsOnOthers() const noexcept {
        return until == Deadline::Clock::time_point::max() && waiter != Waiter::Sending && waiter != Waiter::Ending;
    }
};

}    // namespace ferry
