#include <ferry/apps/timetabling/io/InputError.hpp>

#include <fmt/format.h>

namespace timetabling {

InputError::InputError(const std::string& file, const std::string& text)
    : std::runtime_error(fmt::format("{}: {}", printable(file), text)) {}

InputError::InputError(const std::string& file, std::size_t line, const std::string& text)
    : std::runtime_error(fmt::format("{}:{}: {}", printable(file), line, text)),
      line_(line) {}

std::string printable(std::string_view text, std::size_t mostBytes) {
    std::string result;
    const std::string_view shown = text.substr(0, mostBytes);
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto byte = static_cast<unsigned char>(shown[i]);
        const auto next = static_cast<unsigned char>(i + 1 < shown.size() ? shown[i + 1] : '\0');
        const bool isLongControl = byte == 0xC2 && next >= 0x80 && next < 0xA0;    // U+0080 to U+009F: control characters for terminals too
        if (isLongControl) ++i;
        result += isLongControl || byte < 0x20 || byte == 0x7F ? '?' : shown[i];
    }
    if (text.size() > mostBytes) result += "...";
    return result;
}

std::string foundInWords(std::string_view text) { return text.empty() ? "found nothing" : fmt::format("found '{}'", printable(text)); }

}    // namespace timetabling
