#pragma once

#include <cstdint>
#include <exception>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

/// The kind of a notice about tasks: the key of a TaskNotice letter, whose body is a vector of task numbers. Frozen: docs/wire-format.md.
enum class TaskNotice : std::int32_t {
    GiveBack = 1,     ///< the receiver gives back the listed tasks that it has not begun, in a letter that it sends even without a task
    Cancelled = 2,    ///< the listed tasks that have not begun fail; the handler of a running one is told
    Leave = 3,        ///< no numbers: the receiver has no tasks, and its part in the job ends
    Serve = 4,        ///< no numbers: the receiver drops its tasks; from now on the sender gives it its tasks
    Orphaned = 5,     ///< from a sub-master: a slave of its group is lost (the letter's number), which may have been at work on the listed
                      ///< tasks
    Raised = 6,       ///< the letter's number is a task, its body an exception: the exception is thrown in the handler of the task, and a
                      ///< task that has not begun fails with it
    TellBegin = 7,    ///< the letter's number is a task: the receiver answers with Begun as soon as the task has begun
    Begun = 8,        ///< the listed tasks have begun on the slave whose rank is the letter's number
    Roster = 9,       ///< the letter's number is a task of a team that all members have begun, its body a TeamRoster

    // About results that stay with slaves. Except for Want and Drop, the letter's number is a result.
    Want = 10,       ///< to the master: the sender needs the listed results. It gets Kept from a slave, or Missing from the master
    Give = 11,       ///< from the master: the receiver sends the result to the listed rank
    Kept = 12,       ///< the result: its class ID and its ints
    Absent = 13,     ///< to the master: the sender has no such result for the listed rank
    Missing = 14,    ///< from the master: no slave has the result
    Drop = 15,       ///< from the master: the receiver removes the listed results
};

inline TaskNotice noticeIn(const Letter& letter) noexcept { return static_cast<TaskNotice>(letter.envelope.key); }

/// The task numbers of a TaskNotice letter. Errors: SerializationError for a damaged letter.
std::vector<std::int32_t> numbersIn(const Letter& letter);

/// Sends a notice about these tasks, and never waits. number: for Orphaned the lost rank, for TellBegin and Roster the task, for Begun the
/// slave.
void sendNotice(Mailbox& mailbox, int rank, TaskNotice notice, const std::vector<std::int32_t>& numbers, std::int32_t number = 0);

/// Sends a Raised notice.
void sendRaised(Mailbox& mailbox, int rank, std::int32_t task, const std::exception_ptr& exception);
/// The exception of a Raised notice. An exception that cannot be read, or that found no memory, is the SerializationError or
/// NoMemoryForMessage that says so.
std::exception_ptr exceptionIn(const Letter& raised, const ObjectFactory& factory);

}    // namespace ferry::detail
