#include <ferry/connector/message/pending/PendingWaits.hpp>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void failOfEndedConnector() {
    throw UsageError("the connector of this Pending has ended, and the operation with it: take the value before, by get()");
}

void waitForOne(Mailbox* mailbox, std::size_t count, const std::function<bool()>& isOneReady, Deadline deadline) {
    if (mailbox == nullptr) FERRY_THROW(UsageError(fmt::format("none of these {} operations is under way", count)));
    const DeadlineScope scope(*mailbox, deadline);
    mailbox->waitUntil(
        isOneReady,
        [count] {
            return Awaited{{}, fmt::format("one of {} operations", count)};
        },
        Waiter::Call);
}

}    // namespace ferry::detail
