#include <ferry/connector/message/DeadlineScope.hpp>

#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/OneThread.hpp>

namespace ferry::detail {

void DeadlineScope::begin(Mailbox& mailbox, const Deadline& deadline) {
    mailbox.thread().require();    // this thread must not change the limit of another thread's call
    const Deadline::Clock::time_point now = mailbox.transport().now();
    const Deadline::Clock::time_point until = deadline.forStart(now);
    number_ = mailbox.nest().ownLimits()->begin({now, until});
    limits_ = mailbox.nest().ownLimits();
}

}    // namespace ferry::detail
