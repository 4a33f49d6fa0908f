#pragma once

#include <array>
#include <cstddef>

namespace ferry::detail {

// Standard types as they lie in memory. An image holds objects of these types with pointers of the device in them, so the places of the
// pointers must be known. Looking at objects finds these places, before the first image is made.

/// The places of pointers and lengths in standard types, in words of 8 bytes. libstdc++ and libc++ differ.
struct StandardLayout {
    bool vectorIsKnown = false;         ///< begin, end, end of the memory
    bool textIsKnown = false;           ///< pointer, length, then the characters of a short text or the capacity
    bool spanIsKnown = false;           ///< pointer, length
    bool textViewIsKnown = false;       ///< pointer and length in one of two orders
    bool uniqueIsKnown = false;         ///< pointer
    std::size_t textViewPointer = 0;    ///< the word of the pointer in a string_view

    static const StandardLayout& get() noexcept;
};

/// Errors: UsageError for a standard library in which this type lies in an unknown way.
void requireLayout(bool isKnown, const char* type);

}    // namespace ferry::detail
