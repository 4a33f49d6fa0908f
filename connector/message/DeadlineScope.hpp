#pragma once

#include <cstdint>
#include <memory>

#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/state/WaitLimits.hpp>

namespace ferry::detail {

class Mailbox;

/// While a scope lives, no call of its rank waits beyond the deadline. A scope inside another one never extends the deadline. A scope
/// that outlives its connector changes nothing.
///
/// Threads: begins on the thread that uses the connector. May end on any thread, also while a call of the connector lasts.
class [[nodiscard]] DeadlineScope {
public:
    DeadlineScope(Mailbox& mailbox, const Deadline& deadline) {
        if (!deadline.isNever()) begin(mailbox, deadline);
    }
    DeadlineScope(const DeadlineScope&) = delete;
    DeadlineScope& operator=(const DeadlineScope&) = delete;
    ~DeadlineScope() {
        if (limits_ != nullptr) limits_->end(number_);
    }

private:
    void begin(Mailbox& mailbox, const Deadline& deadline);

    std::shared_ptr<WaitLimits> limits_;    ///< null: there is no limit
    std::uint64_t number_ = 0;
};

}    // namespace ferry::detail
