#pragma once

#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/framework/schedule/Retry.hpp>

namespace ferry {

/// The options of a task at its submission: `master.submit(task, {.priority = 1, .deadline = ferry::Deadline::in(5s)})`.
struct TaskOptions {
    /// Waiting tasks of a higher priority go to slaves first. Tasks of equal priority go in the order of their submission.
    int priority = 0;
    /// Counted from the submission. A task that no slave has begun by the deadline fails with a TimeoutError. A running task is cancelled.
    /// It fails in the same way if its handler checks for the cancellation; otherwise its reply comes late.
    Deadline deadline = Deadline::never();
    /// A further try goes to another slave if one has room. The task fails with the exception of the last try; the context of that
    /// exception names the try.
    detail::Retry retry = {};
    /// A task fails with a PoisonTask when this number of slaves was lost while they had it, begun or not: the task may be the cause. Used
    /// in jobs that survive losses.
    int slavesAtMost = 3;
    /// False: the task is begun once. It fails with a PoisonTask when its slave is lost. A result of it that stays with a slave (Keep) is
    /// not made again.
    bool isRepeatable = true;
};

}    // namespace ferry
