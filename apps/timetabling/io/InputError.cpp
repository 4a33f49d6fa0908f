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
    for (const char symbol : text.substr(0, mostBytes)) {
        const auto byte = static_cast<unsigned char>(symbol);
        result += byte < 0x20 || byte == 0x7F ? '?' : symbol;
    }
    if (text.size() > mostBytes) result += "...";
    return result;
}

}    // namespace timetabling
