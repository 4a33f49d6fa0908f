#include <ferry/serialization/exception/PrintableText.hpp>

#include <cstddef>

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

bool isControl(unsigned char character) { return character < ' ' || character == 0x7f; }

/// Whether a control character from U+0080 to U+009F begins here. Such characters take two bytes in UTF-8.
bool isLongControl(std::string_view text, std::size_t i) {
    return text[i] == '\xc2' && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0 &&
           static_cast<unsigned char>(text[i + 1]) >= 0x80;
}

}    // namespace

std::string printable(std::string_view text, Lines lines) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char character = text[i];
        const bool mayStay = lines == Lines::Several && (character == '\n' || character == '\t');
        if (isLongControl(text, i)) {
            ++i;
            result += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[i]));
        } else if (isControl(static_cast<unsigned char>(character)) && !mayStay) {
            result += escaped(static_cast<unsigned char>(character));
        } else {
            result += character;
        }
    }
    return result;
}

}    // namespace ferry::detail
