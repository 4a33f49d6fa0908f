#pragma once

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/framework/schedule/Retry.hpp>

namespace ferry {

/// What may be said of a task when it is submitted: `master.submit(task, {.priority = 1, .deadline = ferry::Deadline::in(5s)})`.
struct TaskOptions {
    /// Tasks of a higher priority are given to slaves before all others that wait; those of one in the order of their submission.
    int priority = 0;
    /// From the submission on. A task that no slave has begun by then fails with a TimeoutError. One that runs is cancelled, and fails so
    /// if its handler heeds that; otherwise its reply comes late.
    Deadline deadline = Deadline::never();
    /// Another try goes to another slave where one has room. The last one's exception is that of the task; its context says which try it
    /// was.
    Retry retry = {};
    /// A task is given up when it was with n slaves, begun or not, that were lost. It fails with a PoisonTask, since it may be what kills
    /// them. Counts in jobs that survive losses.
    int slavesAtMost = 3;
};

}    // namespace ferry
