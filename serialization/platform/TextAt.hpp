#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ferry::detail {

/// Reads a text of the program whose address may be wrong, such as that of `throw reinterpret_cast<const char*>(8)`. Only memory of this
/// process is read. What cannot be read, and what follows the longest text, is told in its place.
std::string textAt(const char* text);

/// Like textAt(), for a process that may have no memory left: copies the text as far as there is room, and sets a zero behind it. Returns
/// the room.
const char* copyTextAt(const char* text, std::span<char> room) noexcept;

/// The number of bytes of the longest text that textAt() reads as a whole.
inline constexpr std::size_t longestTextBytes = 1024 * 1024;

}    // namespace ferry::detail
