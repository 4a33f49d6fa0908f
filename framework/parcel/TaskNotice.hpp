#pragma once

#include <cstdint>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry {

/// The kind of a notice about tasks: the key of a TaskNotice letter, whose body is a vector of task numbers. Frozen: docs/wire-format.md.
enum class TaskNotice : std::int32_t {
    GiveBack = 1,     ///< the receiver gives back the listed tasks that it has not begun, in a letter that it sends even without a task
    Cancelled = 2,    ///< the listed tasks that have not begun fail; the handler of a running one is told
    Leave = 3,        ///< no numbers: the receiver has no tasks, and its part in the job ends
    Serve = 4,        ///< no numbers: the receiver drops its tasks; from now on the sender gives it its tasks
    Orphaned = 5,     ///< from a sub-master: a slave of its group is lost (the letter's number), which may have been at work on the listed
                      ///< tasks
};

inline TaskNotice noticeIn(const Letter& letter) noexcept { return static_cast<TaskNotice>(letter.envelope.key); }

/// The task numbers of a TaskNotice letter. Errors: SerializationError for a damaged letter.
std::vector<std::int32_t> numbersIn(const Letter& letter);

/// Sends a notice about these tasks. lostRank: for Orphaned, the lost rank.
void sendNotice(Mailbox& mailbox, int rank, TaskNotice notice, const std::vector<std::int32_t>& numbers, int lostRank = 0);

}    // namespace ferry
