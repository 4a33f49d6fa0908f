#include <ferry/connector/message/DeadlineScope.hpp>

#include <ferry/connector/message/Background.hpp>
#include <ferry/connector/message/GroupNest.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/state/OneThread.hpp>

namespace ferry::detail {

void DeadlineScope::begin(Mailbox& mailbox, const Deadline& deadline) {
    mailbox.thread().require();    // this thread must not change the limit of another thread's call
    const Deadline::Clock::time_point now = mailbox.transport().now();
    const Deadline::Clock::time_point until = deadline.forStart(now);
    if (until >= mailbox.nest().limit().until) return;
    mailbox_ = &mailbox;
    connector_ = mailbox.background().lifetime().mark();
    before_ = mailbox.nest().setLimit({now, until});
}

void DeadlineScope::end() noexcept {
    if (!connector_.isOver()) mailbox_->nest().setLimit(before_);
}

}    // namespace ferry::detail
