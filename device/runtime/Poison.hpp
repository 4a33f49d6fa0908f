#pragma once

#include <cstddef>

namespace ferry::detail {

/// Whether this build has the address sanitizer.
bool canPoison() noexcept;

/// Lets the address sanitizer report each use of the memory. Does nothing without the sanitizer.
void poison(const void* memory, std::size_t bytes) noexcept;
void unpoison(const void* memory, std::size_t bytes) noexcept;

/// Bytes to leave free behind each object of an image, so that the sanitizer sees an index past its end. 0 without the sanitizer.
std::size_t redZoneBytes() noexcept;

}    // namespace ferry::detail
