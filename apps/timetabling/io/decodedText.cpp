#include <ferry/apps/timetabling/io/decodedText.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/composedText.hpp>

namespace timetabling {

namespace {

constexpr char32_t unknownCharacter = 0xFFFD;

/// The characters of Windows-1252 from 0x80 to 0x9F. 0: no character.
constexpr std::array<char16_t, 32> windowsCharacters{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
                                                     0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
                                                     0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::string fromUtf16(std::string_view bytes, bool isBigEndian) {
    std::string text;
    const auto unitAt = [&](std::size_t place) -> char32_t {
        const auto first = static_cast<unsigned char>(bytes[place]);
        const auto second = static_cast<unsigned char>(bytes[place + 1]);
        return isBigEndian ? first * 256U + second : second * 256U + first;
    };
    for (std::size_t place = 0; place + 1 < bytes.size(); place += 2) {
        char32_t character = unitAt(place);
        if (character >= 0xD800 && character < 0xE000) {
            const char32_t low = character < 0xDC00 && place + 3 < bytes.size() ? unitAt(place + 2) : 0;
            if (low >= 0xDC00 && low < 0xE000) {
                character = 0x10000 + ((character - 0xD800) << 10U) + (low - 0xDC00);
                place += 2;
            } else {
                character = unknownCharacter;
            }
        }
        appendCharacter(text, character);
    }
    return text;
}

/// Whether the bytes are UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
bool isUtf8(std::string_view bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
        const auto first = static_cast<unsigned char>(bytes[i]);
        const std::size_t count = first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
        if (count == 0 || count > bytes.size() - i) return false;
        for (std::size_t k = 1; k < count; ++k) {
            if ((static_cast<unsigned char>(bytes[i + k]) & 0xC0U) != 0x80U) return false;
        }
        if (count > 2) {
            const auto second = static_cast<unsigned char>(bytes[i + 1]);
            if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second >= 0xA0) || (first == 0xF0 && second < 0x90) ||
                (first == 0xF4 && second >= 0x90))
                return false;
        }
        i += count;
    }
    return true;
}

std::string fromWindows(std::string_view bytes) {
    std::string text;
    for (const char symbol : bytes) {
        const auto byte = static_cast<unsigned char>(symbol);
        const bool isSpecial = byte >= 0x80 && byte < 0xA0;
        const char32_t character = isSpecial ? static_cast<char32_t>(windowsCharacters[byte - 0x80U]) : static_cast<char32_t>(byte);
        appendCharacter(text, character == 0 && byte != 0 ? unknownCharacter : character);
    }
    return text;
}

/// The share of zero bytes at even or odd places of the begin. UTF-16 of western languages has nearly all of one kind.
bool looksLikeUtf16(std::string_view bytes, std::size_t zeroPlace) {
    constexpr std::size_t mostLooks = 1000;
    const std::size_t pairs = std::min(bytes.size(), mostLooks) / 2;
    std::size_t zeros = 0;
    for (std::size_t pair = 0; pair < pairs; ++pair) zeros += bytes[2 * pair + zeroPlace] == '\0' ? 1 : 0;
    return pairs > 1 && zeros * 10 >= pairs * 7;
}

void refuseWorkbooks(const std::string& file, std::string_view bytes) {
    using namespace std::string_view_literals;
    constexpr std::string_view cure = "; save each sheet as 'CSV UTF-8 (comma delimited)'";
    if (bytes.starts_with("PK\x03\x04"sv)) throw InputError(file, "expected a table, found a workbook or an archive" + std::string(cure));
    if (bytes.starts_with("\xD0\xCF\x11\xE0"sv)) throw InputError(file, "expected a table, found an Excel workbook" + std::string(cure));
    if (bytes.starts_with("%PDF"sv)) throw InputError(file, "expected a table, found a PDF" + std::string(cure));
}

}    // namespace

DecodedText decodedText(const std::string& file, std::string bytes) {
    using namespace std::string_view_literals;
    constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";
    refuseWorkbooks(file, bytes);
    DecodedText decoded;
    if (bytes.starts_with("\xFF\xFE"sv) || bytes.starts_with("\xFE\xFF"sv)) {
        decoded.text = fromUtf16(std::string_view(bytes).substr(2), bytes.front() == '\xFE');
    } else if (looksLikeUtf16(bytes, 1) || looksLikeUtf16(bytes, 0)) {
        decoded.text = fromUtf16(bytes, looksLikeUtf16(bytes, 0));
    } else if (isUtf8(bytes)) {
        decoded.text = std::move(bytes);
        if (decoded.text.starts_with(byteOrderMark)) decoded.text.erase(0, byteOrderMark.size());
    } else {
        decoded.text = fromWindows(bytes);
        decoded.note = "the file is not UTF-8 and was read as Windows-1252; check letters with accents, or save as 'CSV UTF-8'";
    }
    const std::size_t zero = decoded.text.find('\0');
    if (zero != std::string::npos)
        throw InputError(
            file,
            1 + static_cast<std::size_t>(std::count(decoded.text.begin(), decoded.text.begin() + static_cast<std::ptrdiff_t>(zero), '\n')),
            "expected text, found a zero byte; save the table as 'CSV UTF-8'");
    decoded.text = composedText(decoded.text);
    return decoded;
}

std::string asUtf8(std::string_view text) { return isUtf8(text) ? std::string(text) : fromWindows(text); }

}    // namespace timetabling
