#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <ferry/connector/message/letter/Deadline.hpp>

namespace ferry::detail {

/// The limits on the waits of one mailbox. Each lasts as long as its scope (DeadlineScope).
///
/// Ownership: shared by the mailbox and the scopes, which may outlive it. Threads: end() on any; the others on the one that uses the
/// mailbox. A limit that ends on another thread counts until the mailbox looks at its limits next.
class WaitLimits {
public:
    /// Makes room for a few limits, since a collective that begins with one must not lack memory for it: the other ranks wait.
    WaitLimits() { limits_.reserve(usualLimits); }
    WaitLimits(const WaitLimits&) = delete;
    WaitLimits& operator=(const WaitLimits&) = delete;

    /// The earliest of all limits. The reference is valid as long as the mailbox.
    const WaitLimit& present() noexcept {
        if (isOneOver_.load(std::memory_order_relaxed)) [[unlikely]]
            look();
        return present_;
    }
    /// Adds a limit, and returns its number.
    std::uint64_t begin(const WaitLimit& limit);
    /// Ends the limit with this number. Limits may end in any order.
    void end(std::uint64_t number) noexcept;

private:
    static constexpr std::size_t usualLimits = 4;

    struct Limit {
        std::uint64_t number = 0;
        WaitLimit limit;
    };

    void look() noexcept;

    WaitLimit present_;
    std::atomic<bool> isOneOver_{false};    ///< a limit has ended, and present_ may be that limit
    std::mutex mutex_;                      ///< guards the members below
    std::vector<Limit> limits_;             ///< in the order in which they began
    std::uint64_t lastNumber_ = 0;
};

}    // namespace ferry::detail
