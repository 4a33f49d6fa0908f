#include <ferry/apps/timetabling/io/InputError.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <ferry/objects.hpp>

namespace timetabling {

InputError::InputError(const std::string& file, const std::string& text)
    : std::runtime_error(fmt::format("{}: {}", printable(file), text)) {}

InputError::InputError(const std::string& file, std::size_t line, const std::string& text)
    : std::runtime_error(fmt::format("{}:{}: {}", printable(file), line, text)),
      line_(line) {}

std::string printable(std::string_view text, std::size_t mostBytes) {
    if (text.size() <= mostBytes) return ferry::detail::printable(text);
    const auto isWithin = [text](std::size_t end) { return (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U; };
    while (mostBytes > 0 && isWithin(mostBytes)) --mostBytes;    // cuts no character of UTF-8 into pieces
    return ferry::detail::printable(text.substr(0, mostBytes)) + "...";
}

std::string foundInWords(std::string_view text) { return text.empty() ? "found nothing" : fmt::format("found '{}'", printable(text)); }

}    // namespace timetabling
