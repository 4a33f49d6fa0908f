#include <ferry/serialization/exception/PrintableText.hpp>

#include <cstddef>
#include <cstdint>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

std::string escaped(unsigned char character) {
    switch (character) {
        case '\0': return "\\0";
        case '\n': return "\\n";
        case '\r': return "\\r";
        case '\t': return "\\t";
        default: return fmt::format("\\x{:02x}", character);
    }
}

/// A character of a text in UTF-8. A byte that begins no character of UTF-8 is one by itself.
struct Character {
    std::uint32_t number = 0;
    std::size_t bytes = 1;
};

Character characterAt(std::string_view text, std::size_t i) {
    const auto byteAt = [text](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    const std::uint32_t first = byteAt(i);
    const std::size_t bytes = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 1;
    std::uint32_t number = bytes == 1 ? first : first & (0x7fU >> bytes);
    for (std::size_t k = 1; k < bytes; ++k) {
        if ((byteAt(i + k) & 0xc0U) != 0x80U) return {first, 1};
        number = number << 6U | (byteAt(i + k) & 0x3fU);
    }
    return {number, bytes};
}

/// Whether the character moves the cursor, changes the terminal, or turns the order of the characters around it.
bool isControl(std::uint32_t number) {
    const auto isIn = [number](std::uint32_t first, std::uint32_t last) { return number >= first && number <= last; };
    return number < 0x20 || isIn(0x7f, 0x9f) || isIn(0x2028, 0x202e) || isIn(0x2066, 0x2069);
}

}    // namespace

std::string printable(std::string_view text, Lines lines) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const Character character = characterAt(text, i);
        const bool mayStay = lines == Lines::Several && (character.number == '\n' || character.number == '\t');
        if (mayStay || !isControl(character.number)) {
            result += text.substr(i, character.bytes);
        } else if (character.bytes == 1) {
            result += escaped(static_cast<unsigned char>(character.number));
        } else {
            result += fmt::format("\\u{:04x}", character.number);
        }
        i += character.bytes;
    }
    return result;
}

}    // namespace ferry::detail
