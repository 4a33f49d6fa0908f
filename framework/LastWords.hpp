#pragma once

#include <exception>

namespace ferry {

/// What a process says when it cannot say more. Asks for no memory, opens nothing and takes no lock.
class LastWords {
public:
    /// One line on standard error: "ferry: rank 3: " and the text; below 0 without the rank.
    static void say(int rank, const char* text) noexcept;

    /// The same, with what the exception says. Null: no exception.
    static void say(int rank, const char* text, const std::exception_ptr& failure) noexcept;
};

}    // namespace ferry
