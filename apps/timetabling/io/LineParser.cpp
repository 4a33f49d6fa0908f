#include <ferry/apps/timetabling/io/LineParser.hpp>

#include <charconv>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

void LineParser::expectWords(std::size_t least, std::size_t most, std::string_view form) const {
    if (line_.words.size() < least || line_.words.size() > most) fail(fmt::format("'{}'", form), line_.text);
}

int LineParser::number(std::string_view what, std::int64_t least, std::int64_t most) {
    const std::string_view text = word();
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isNumber = error == std::errc() && end == text.data() + text.size();
    if (!isNumber || value < least || value > most) fail(fmt::format("{} from {} to {}", what, least, most), text);
    return static_cast<int>(value);
}

void LineParser::fail(std::string_view expected, std::string_view found) const {
    throw InputError(file_, line_.number, fmt::format("expected {}, {}", expected, foundInWords(found)));
}

}    // namespace timetabling
