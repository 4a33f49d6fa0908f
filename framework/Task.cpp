#include <ferry/framework/Task.hpp>

#include <fmt/format.h>

#include <ferry/connector/exception/Cancelled.hpp>
#include <ferry/framework/Parcel.hpp>
#include <ferry/framework/SlaveLoop.hpp>

namespace ferry {

bool Task::cancelled() { return loop_.isCancelled(); }

void Task::throwIfCancelled() {
    if (cancelled()) throw Cancelled(fmt::format("task {} was cancelled", number_));
}

void Task::submit(const Message& task, int priority) {
    requireOwnClassId(task);
    Mailbox& mailbox = connector_.mailbox();
    mailbox.throwIfDue();
    mailbox.postInts(loop_.masterRank(), Channel::Data,
                     packParcel(mailbox, MessageKind::Request, {task.classId(), newCall, priority}, [&](IntWriter& out) { out << task; }));
}

}    // namespace ferry
