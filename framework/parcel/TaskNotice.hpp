#pragma once

#include <cstdint>

namespace ferry {

/// What is told of tasks: the key of a letter of kind TaskNotice, whose body is a vector of their numbers. Frozen: docs/wire-format.md.
enum class TaskNotice : std::int32_t {
    GiveBack = 1,     ///< those that it has not begun, in a letter of tasks, which it sends in any case
    Cancelled = 2,    ///< those that it has not begun fail; the handler of one that runs is told
    Leave = 3,        ///< none: it has none, and its part in the job ends
    Serve = 4,        ///< none: it forgets those that it has; from now on the sender gives it its tasks
    Orphaned = 5,     ///< from a sub-master: a slave of its group is lost (the letter's number), which may have been at work on them
};

}    // namespace ferry
