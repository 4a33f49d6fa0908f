#pragma once

#include <exception>
#include <span>
#include <typeinfo>

namespace ferry::detail {

/// The texts of exceptions that were lost because memory ran out: while such an exception was in flight or being handled, a std::bad_alloc
/// was thrown and took its place. Needs no memory. Holds a few texts, the latest ones.
///
/// Threads: all functions are safe from any thread. Without the hook of all throws, and with another C++ runtime than that of GCC, nothing
/// is noted.
struct DrivenOut {
    /// Notes the text of the exception that a throw takes the place of, if the throw is a std::bad_alloc. For the hook of all throws.
    /// inFlight: the latest exception in flight on this thread; null: none. The exception that is being handled comes after that.
    static void note(const void* object, const std::type_info& type, const std::exception_ptr& inFlight) noexcept;

    /// Notes the text of an exception that could not be told, since this std::bad_alloc has come in between.
    static void noteUntold(const std::exception_ptr& untold, const std::exception_ptr& failure) noexcept;

    /// Copies the text of the exception whose place this std::bad_alloc has taken, as far as there is room, and sets a zero behind it.
    /// Null: none is known.
    static const char* copyText(const std::exception_ptr& failure, std::span<char> room) noexcept;
};

}    // namespace ferry::detail
