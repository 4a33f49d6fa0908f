#pragma once

#include <chrono>
#include <cstddef>

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry {

/// Replies of a slave that leave together. Whoever fills it sends it before the slave waits.
///
/// Ownership: borrows the mailbox. Threads: the slave's.
class ReplyBatch {
public:
    explicit ReplyBatch(Mailbox& mailbox) : mailbox_(mailbox) {}

    /// Adds a letter of one reply. One that is large, or that has no room, is sent with what is here.
    void add(IntBuffer reply);

    /// Sends what is here when the oldest has waited for so long.
    void sendIfDue(Transport::Clock::time_point now, std::chrono::nanoseconds longestWait);
    void send();

private:
    static constexpr std::size_t maxInts = 16 * 1024;

    Mailbox& mailbox_;
    IntBuffer letter_;    ///< empty: none is here
    Transport::Clock::time_point oldest_{};
};

}    // namespace ferry
