#pragma once

#include <chrono>
#include <cstddef>

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// Replies that leave in one letter. The slave that fills the batch sends it before it waits.
///
/// Ownership: borrows the mailbox. Threads: the thread of its rank.
class ReplyBatch {
public:
    ReplyBatch(Mailbox& mailbox, int receiver) : mailbox_(mailbox), receiver_(receiver) {}

    bool isEmpty() const noexcept { return letter_.isEmpty(); }
    /// The time since which the oldest reply waits. The batch must not be empty.
    Transport::Clock::time_point oldest() const noexcept { return oldest_; }

    /// Adds a letter of one or more replies. A letter that does not fit starts a new batch, and the old one is sent first. A batch that is
    /// full is sent at once.
    void add(IntBuffer reply);

    /// Drops the replies of the batch. Later replies go to the rank `receiver`.
    void begin(int receiver);

    /// Sends the batch when its oldest reply has waited for longestWait.
    void sendIfDue(Transport::Clock::time_point now, std::chrono::nanoseconds longestWait);
    void send();
    /// Sends the batch without ever waiting. For a wait inside a handler: its task may depend on what the master does with these replies.
    void sendNow();

private:
    static constexpr std::size_t maxInts = 16 * 1024;

    Mailbox& mailbox_;
    int receiver_;
    IntBuffer letter_;    ///< empty: no reply is held
    Transport::Clock::time_point oldest_{};
};

}    // namespace ferry::detail
