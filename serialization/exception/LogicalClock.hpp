#pragma once

#include <cstdint>

namespace ferry::detail {

/// A time of a clock that counts messages instead of seconds. Times of different clocks cannot be compared.
struct LogicalTime {
    const std::int32_t* clock = nullptr;    ///< null: no time; used only to compare clocks, never dereferenced
    std::int32_t value = 0;
};

/// During its lifetime, each exception thrown on this thread notes the time of the clock (ThrowRecord). Scopes of one thread nest. The
/// innermost scope applies.
///
/// Ownership: the clock must outlive the scope.
class LogicalClockScope {
public:
    explicit LogicalClockScope(const std::int32_t& clock) noexcept;
    LogicalClockScope(const LogicalClockScope&) = delete;
    LogicalClockScope& operator=(const LogicalClockScope&) = delete;
    ~LogicalClockScope();

    /// The time of this thread's innermost clock. No time outside of scopes.
    static LogicalTime now() noexcept;

private:
    const std::int32_t* outer_;
};

}    // namespace ferry::detail
