#pragma once

#include <exception>

namespace ferry::detail {

/// Prints the last line of a process that cannot do more. Needs no memory, opens no file and takes no lock.
/// Where nobody reads standard error, it waits a second at most.
class LastWords {
public:
    /// Prints one line on standard error: "ferry: rank 3: " and the text. A rank below 0 is left out.
    static void say(int rank, const char* text) noexcept;

    /// Prints the line, followed by the text of the exception. Null: no exception. For a std::bad_alloc that has taken the place of another
    /// exception, prints the text of that one, too.
    static void say(int rank, const char* text, const std::exception_ptr& failure) noexcept;
};

}    // namespace ferry::detail
