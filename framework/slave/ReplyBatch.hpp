#pragma once

#include <chrono>
#include <cstddef>

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry {

/// Replies that leave together. A slave that fills it sends it before it waits.
///
/// Ownership: borrows the mailbox. Threads: those of its rank.
class ReplyBatch {
public:
    ReplyBatch(Mailbox& mailbox, int receiver) : mailbox_(mailbox), receiver_(receiver) {}

    bool isEmpty() const noexcept { return letter_.isEmpty(); }
    /// Since when the oldest waits; there must be one.
    Transport::Clock::time_point oldest() const noexcept { return oldest_; }

    /// Adds a letter of one reply or more. One that is large, or that has no room, is sent with what is here.
    void add(IntBuffer reply);

    /// What is here is not wanted any more, and what comes goes to this rank.
    void begin(int receiver);

    /// Sends what is here when the oldest has waited for so long.
    void sendIfDue(Transport::Clock::time_point now, std::chrono::nanoseconds longestWait);
    void send();
    /// Sends without ever waiting. For a wait of a handler: its task may depend on what the master does with these replies.
    void sendNow();

private:
    static constexpr std::size_t maxInts = 16 * 1024;

    Mailbox& mailbox_;
    int receiver_;
    IntBuffer letter_;    ///< empty: none is here
    Transport::Clock::time_point oldest_{};
};

}    // namespace ferry
