#include <ferry/framework/ending/LastWords.hpp>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string_view>

#include <ferry/serialization/exception/DrivenOut.hpp>
#include <ferry/serialization/file/OutputStream.hpp>
#include <ferry/serialization/platform/TextAt.hpp>

namespace ferry::detail {

namespace {

/// Replaces control characters, also those of two bytes in UTF-8, by question marks. Needs no memory, which printable() does.
void replaceControls(std::span<char> text) noexcept {
    unsigned char before = 0;
    for (char& character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte == 0x7f || (before == 0xc2 && byte >= 0x80 && byte < 0xa0)) character = '?';
        before = byte;
    }
}

void sayLine(int rank, const char* text, const char* why) noexcept {
    std::array<char, 512> line{};
    const char* const between = why[0] != '\0' ? ": " : "";
    const int length = rank < 0 ? std::snprintf(line.data(), line.size(), "ferry: %s%s%.300s\n", text, between, why)
                                : std::snprintf(line.data(), line.size(), "ferry: rank %d: %s%s%.300s\n", rank, text, between, why);
    const std::size_t chars = std::min(static_cast<std::size_t>(std::max(length, 0)), line.size() - 1);
    replaceControls(std::span(line).first(chars - (chars != 0 ? 1 : 0)));
    OutputStream::writeTo(STDERR_FILENO, std::string_view(line.data(), chars), OutputStream::Short.forRoom);
}

}    // namespace

void LastWords::say(int rank, const char* text) noexcept { sayLine(rank, text, ""); }

void LastWords::say(int rank, const char* text, const std::exception_ptr& failure) noexcept {
    if (!failure) return say(rank, text);
    std::array<char, 250> lost{};
    if (DrivenOut::copyText(failure, lost) != nullptr) {
        std::array<char, 301> why{};
        std::snprintf(why.data(), why.size(), "%s, and then std::bad_alloc", lost.data());
        return sayLine(rank, text, why.data());
    }
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& known) {
        std::array<char, 301> why{};    // as much as a line has of it
        sayLine(rank, text, copyTextAt(known.what(), why));
    } catch (...) {
        sayLine(rank, text, "an exception that is no std::exception");
    }
}

}    // namespace ferry::detail
