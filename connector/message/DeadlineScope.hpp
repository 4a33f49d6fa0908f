#pragma once

#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/state/Lifetime.hpp>

namespace ferry::detail {

class Mailbox;

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
        if (mailbox_ != nullptr) end();
    }

private:
    void begin(Mailbox& mailbox, const Deadline& deadline);
    void end() noexcept;

    Mailbox* mailbox_ = nullptr;    ///< null: nothing has changed
    Lifetime::Mark connector_;
    WaitLimit before_;
};

}    // namespace ferry::detail
