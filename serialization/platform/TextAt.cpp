#include <ferry/serialization/platform/TextAt.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include <ferry/serialization/platform/System.hpp>

namespace ferry::detail {

namespace {

// No page of memory is smaller: bytes within one such part can all be read, or none of them.
constexpr std::size_t partBytes = 1024;

/// A part of a text.
struct TextPart {
    std::size_t size = 0;    ///< number of characters
    bool isLast = false;     ///< whether the zero at the end of the text follows
    bool isThere = true;     ///< false: there is no such memory
};

/// Reads the next part of a text, up to its end or to the next page at most.
TextPart readPart(std::uintptr_t address, std::span<char> to) noexcept {
    const std::span<char> part = to.first(std::min(to.size(), partBytes - address % partBytes));
    const std::optional<std::size_t> known = platform::readOwnMemory(address, part);
    const std::size_t count = known.value_or(part.size());
    if (!known) std::strncpy(part.data(), reinterpret_cast<const char*>(address), count);
    if (count == 0) return {0, true, false};
    const auto end = std::find(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(count), '\0');
    const auto size = static_cast<std::size_t>(end - part.begin());
    return {size, size < count, true};
}

}    // namespace

std::string textAt(const char* text) {
    if (text == nullptr) return "null";
    std::string whole;
    std::array<char, partBytes> room{};
    for (;;) {
        const TextPart part = readPart(reinterpret_cast<std::uintptr_t>(text) + whole.size(), room);
        if (!part.isThere && whole.empty())
            return fmt::format("<a text at address {}, where no memory is>", static_cast<const void*>(text));
        whole.append(room.data(), part.size);
        if (!part.isThere) return whole + " <the text has no end: no memory follows>";
        if (part.isLast) return whole;
        if (whole.size() >= longestTextBytes) {
            whole.resize(longestTextBytes);
            return whole + fmt::format(" <the text has more than {} bytes>", longestTextBytes);
        }
    }
}

const char* copyTextAt(const char* text, std::span<char> room) noexcept {
    if (room.empty()) return "";
    std::size_t size = 0;
    const std::size_t most = room.size() - 1;
    const auto append = [&](std::string_view more) { size += more.copy(room.data() + size, most - size); };
    if (text == nullptr) append("null");
    while (text != nullptr && size < most) {
        const TextPart part = readPart(reinterpret_cast<std::uintptr_t>(text) + size, room.subspan(size, most - size));
        size += part.size;
        if (!part.isThere) append(size == 0 ? "<a text where no memory is>" : " <the text has no end>");
        if (part.isLast) break;
    }
    room[size] = '\0';
    return room.data();
}

}    // namespace ferry::detail
