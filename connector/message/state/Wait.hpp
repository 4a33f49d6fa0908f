#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/LetterFilter.hpp>

namespace ferry::detail {

/// The kind of call that waits. It decides what may end the wait besides the awaited letter. Numbers travel and are frozen:
/// docs/wire-format.md.
enum class Waiter : std::int32_t {
    Call = 1,       ///< a call of the user; ended by due exceptions, its deadline, a deadlock
    Meeting = 2,    ///< a rank at the end of a guarded region; ended by its deadline, and by a deadlock without any Call in it
    Idle = 3,       ///< a rank that serves and has no task; ended by due exceptions
    Sending = 4,    ///< a call that waits until its letters leave or are taken in; ended by due exceptions, its deadline
    Ending = 5,     ///< the end of a job, or its beginning; ended by its time limit
    Resting = 6,    ///< a slave that was dismissed, until the job ends; ended by no exception
};

/// Work that a rank does during a wait and that cannot end the wait, such as showing the progress of a job. The wait may be
/// a part of a deadlock, even when such work is due soon.
///
/// In a simulation no time passes for this work: the rank does it when it looks for another reason.
struct BesideWait {
    std::function<Deadline::Clock::time_point()> next;          ///< the time of the next work; time_point::max(): there is none
    std::function<void(Deadline::Clock::time_point)> attend;    ///< does the work that is due now; neither waits nor sends
};

/// Work that a rank does during the waits of its calls, and that may bring about what they wait for.
struct ActiveWork {
    std::function<Deadline::Clock::time_point()> next;    ///< the time of the next work that no letter announces; max(): there is none
    std::function<void()> attend;                         ///< does the work that can be done now
    std::function<std::string()> remark{};                ///< what such waits do not do, in a clause; empty text: nothing is left undone
    std::function<bool()> isBusy{};                       ///< whether work is not done; empty: never
};

/// One wait of a rank.
struct Wait {
    Waiter waiter = Waiter::Call;
    Deadline::Clock::time_point until = Deadline::Clock::time_point::max();
    const Filter* filter = nullptr;        ///< a matching letter would end the wait; null: another event would
    const BesideWait* beside = nullptr;    ///< work during the wait; null: there is none

    /// Whether the wait throws due exceptions.
    bool isInterruptible() const noexcept { return waiter != Waiter::Meeting && waiter != Waiter::Ending && waiter != Waiter::Resting; }
    /// Whether only letters of other ranks can end the wait. Such a wait may be a part of a deadlock.
    bool dependsOnOthers() const noexcept {
        return until == Deadline::Clock::time_point::max() && waiter != Waiter::Sending && waiter != Waiter::Ending;
    }
};

}    // namespace ferry::detail
