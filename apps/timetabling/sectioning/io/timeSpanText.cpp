#include <ferry/apps/timetabling/sectioning/io/timeSpanText.hpp>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling::sectioning {

std::uint64_t readBits(const XmlElement& element, const char* attribute, int count) {
    const std::string found = element.text(attribute);
    if (found.size() != static_cast<std::size_t>(count) || found.find_first_not_of("01") != std::string::npos)
        element.fail(fmt::format("expected attribute {} of <{}>: {} digits 0 or 1, one for each {}, {}", attribute, element.name(), count,
                                 attribute == std::string_view("days") ? "day" : "week", foundInWords(found)));
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < found.size(); ++i) bits |= static_cast<std::uint64_t>(found[i] == '1') << i;
    return bits;
}

std::string bitsText(std::uint64_t bits, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (bits >> i & 1U) != 0 ? '1' : '0';
    return text;
}

std::string escapedForXml(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            case '\t': escaped += "&#9;"; break;
            case '\n': escaped += "&#10;"; break;
            case '\r': escaped += "&#13;"; break;
            default: escaped += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
        }
    }
    return escaped;
}

}    // namespace timetabling::sectioning
