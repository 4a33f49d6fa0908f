#pragma once

#include <ferry/serialization/ints/durations.hpp>

namespace ferry::detail {

/// Throws the UsageError of a duration that is negative or not a number. what: the thing that has the duration, such as "a pause".
[[noreturn]] void failDuration(const char* what, long double seconds);

/// Checks a duration that the user gives. Errors: UsageError when it is negative or not a number.
template <class Rep, class Period>
void requireDuration(const char* what, std::chrono::duration<Rep, Period> time) {
    const long double seconds = std::chrono::duration<long double>(time).count();
    if (!(seconds >= 0)) failDuration(what, seconds);
}

}    // namespace ferry::detail
