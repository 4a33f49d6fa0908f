#pragma once

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/Lifetime.hpp>
#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// While a scope lives, no call of its rank waits beyond the deadline. A scope inside another one never extends the deadline. Scopes end in
/// the reverse order of their beginnings. A scope that outlives its connector changes nothing.
class [[nodiscard]] DeadlineScope {
public:
    DeadlineScope(Mailbox& mailbox, const Deadline& deadline) {
        if (!deadline.isNever()) begin(mailbox, deadline);
    }
    DeadlineScope(const DeadlineScope&) = delete;
    DeadlineScope& operator=(const DeadlineScope&) = delete;
    ~DeadlineScope() {
        if (mailbox_ != nullptr && !connector_.isOver()) mailbox_->nest().setLimit(before_);
    }

private:
    void begin(Mailbox& mailbox, const Deadline& deadline) {
        mailbox.thread().require();    // this thread must not change the limit of another thread's call
        const Deadline::Clock::time_point now = mailbox.transport().now();
        const Deadline::Clock::time_point until = deadline.forStart(now);
        if (until >= mailbox.nest().limit().until) return;
        mailbox_ = &mailbox;
        connector_ = mailbox.background().lifetime().mark();
        before_ = mailbox.nest().setLimit({now, until});
    }

    Mailbox* mailbox_ = nullptr;    ///< null: nothing has changed
    Lifetime::Mark connector_;
    WaitLimit before_;
};

}    // namespace ferry::detail
