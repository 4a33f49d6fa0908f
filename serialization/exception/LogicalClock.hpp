#pragma once

#include <cstdint>

namespace ferry {

/// A moment by a clock that counts messages instead of seconds, and which clock that is: moments of different ones cannot be compared.
struct LogicalTime {
    const std::int32_t* clock = nullptr;    ///< null: none. Compared only, never looked at.
    std::int32_t value = 0;
};

/// As long as it lives, whatever is thrown on this thread notes the time of the clock (ThrowRecord). Scopes of one thread lie in each
/// other; the innermost counts.
///
/// Ownership: the clock must outlive the scope.
class LogicalClockScope {
public:
    explicit LogicalClockScope(const std::int32_t& clock) noexcept;
    LogicalClockScope(const LogicalClockScope&) = delete;
    LogicalClockScope& operator=(const LogicalClockScope&) = delete;
    ~LogicalClockScope();

    /// The time of this thread's innermost clock; none outside of scopes.
    static LogicalTime now() noexcept;

private:
    const std::int32_t* outer_;
};

}    // namespace ferry
