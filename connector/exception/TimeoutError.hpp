#pragma once

#include <string>
#include <vector>

#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/serialization/Class.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/Exception.hpp>
#include <ferry/serialization/ints/durations.hpp>

namespace ferry {

/// A wait has come to its deadline. The exception says which ranks were awaited, what for, and how long.
class TimeoutError : public Exception {
public:
    FERRY_EXCEPTION_DECLARED(ferry::TimeoutError)
    FERRY_FIELDS_DECLARED(awaited_, waited_)

    TimeoutError() = default;
    TimeoutError(detail::Awaited awaited, std::chrono::microseconds waited);

    /// The awaited ranks; empty when any rank would have done.
    const std::vector<int>& ranks() const noexcept { return awaited_.ranks; }
    /// The awaited thing, in words, such as "a value of type int from rank 2".
    const std::string& awaited() const noexcept { return awaited_.what; }
    /// Clauses that say what this rank may have overlooked, such as messages that have come and that nobody has received.
    const std::vector<std::string>& remarks() const noexcept { return awaited_.remarks; }
    /// The time since the deadline was set.
    std::chrono::microseconds waited() const noexcept { return waited_; }
    ErrorKind kind() const noexcept override { return ErrorKind::Transport; }

private:
    detail::Awaited awaited_;
    std::chrono::microseconds waited_{0};
};

}    // namespace ferry
