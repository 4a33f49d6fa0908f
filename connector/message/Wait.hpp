#pragma once

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/LetterQueue.hpp>

namespace ferry {

/// Whose wait it is, which decides what may end it besides what is waited for.
enum class Waiter {
    Call,       ///< a call of the user: what is due, its deadline
    Sending,    ///< the same, for what this rank has sent to be taken in
    Meeting,    ///< a rank at the end of a guarded region: its deadline
    Idle,       ///< a rank that serves and has nothing to do: what is due
    Ending,     ///< the end of a job, or the beginning: the time that it was given
};

/// One wait of a rank.
struct Wait {
    Waiter waiter = Waiter::Call;
    Deadline::Clock::time_point until = Deadline::Clock::time_point::max();
    const Filter* filter = nullptr;    ///< of the letters one of which would end it; null: other things would

    /// Whether what is due is thrown from it.
    bool isInterruptible() const noexcept { return waiter != Waiter::Meeting && waiter != Waiter::Ending; }
};

}    // namespace ferry
