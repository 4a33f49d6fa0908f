#include <ferry/apps/timetabling/io/NumberReader.hpp>

#include <charconv>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

NumberReader::NumberReader(TextFile& file) : file_(file), line_(file.next()) {}

int NumberReader::next(std::string_view what, std::int64_t least, std::int64_t most) {
    if (isAtEnd()) throw InputError(file_.name(), line_.number, fmt::format("expected {}, found the end of the file", what));
    const std::string_view word = line_.words[position_];
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool isNumber = error == std::errc() && end == word.data() + word.size();
    if (!isNumber || value < least || value > most) {
        throw InputError(file_.name(), line_.number, fmt::format("expected {} from {} to {}, {}", what, least, most, foundInWords(word)));
    }
    advance();
    return static_cast<int>(value);
}

void NumberReader::advance() {
    if (++position_ < line_.words.size()) return;
    line_ = file_.next();
    position_ = 0;
}

}    // namespace timetabling
