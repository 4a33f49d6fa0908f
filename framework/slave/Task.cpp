#include <ferry/framework/slave/Task.hpp>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/framework/parcel/Parcel.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>

namespace ferry {

bool Task::cancelled() { return loop_.isCancelled(); }

void Task::throwIfCancelled() {
    if (cancelled()) throw Cancelled(fmt::format("task {} was cancelled", number_));
}

void Task::submit(const Message& task, int priority) {
    detail::requireOwnClassId(task);
    detail::Mailbox& mailbox = detail::mailboxOf(connector_);
    mailbox.throwIfDue();
    mailbox.postInts(loop_.masterRank(), detail::Channel::Data,
                     detail::packParcel(mailbox, detail::JobKind::Request, {task.classId(), detail::newCall, priority},
                                        [&](IntWriter& out) { out << task; }));
}

}    // namespace ferry
