#include <ferry/apps/timetabling/wholeNumber.hpp>

#include <charconv>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

CLI::Validator wholeNumber(std::int64_t least, std::int64_t most) {
    const auto check = [least, most](const std::string& text) {
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc() && end == text.data() + text.size() && number >= least && number <= most) return std::string();
        return fmt::format("expected a whole number from {} to {}, {}", least, most, foundInWords(text));
    };
    return CLI::Validator(check, fmt::format("{}..{}", least, most));
}

}    // namespace timetabling
