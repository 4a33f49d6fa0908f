#include <ferry/apps/timetabling/io/TextFile.hpp>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/decodedText.hpp>

namespace timetabling {

namespace {

constexpr std::size_t MostBytes = std::size_t{64} << 20;
constexpr std::string_view Blanks = " \t\r\v\f";
constexpr std::string_view ByteOrderMark = "\xEF\xBB\xBF";

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string systemText(int code) { return std::generic_category().message(code); }

}    // namespace

TextFile TextFile::load(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) throw InputError(path, "expected a file, found a directory");
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
    if (!file) throw InputError(path, fmt::format("cannot be opened: {}", systemText(errno)));

    std::string text;
    std::array<char, 65536> block{};
    while (const std::size_t byteCount = std::fread(block.data(), 1, block.size(), file.get())) {
        if (text.size() + byteCount > MostBytes) {
            throw InputError(path, fmt::format("expected at most {} MiB, found more", MostBytes >> 20));
        }
        text.append(block.data(), byteCount);
    }
    if (std::ferror(file.get()) != 0) throw InputError(path, fmt::format("cannot be read: {}", systemText(errno)));
    if (text.starts_with(ByteOrderMark)) text.erase(0, ByteOrderMark.size());
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) text = decodedText(path, std::move(text)).text;    // UTF-16
    return {path, std::move(text)};
}

TextLine TextFile::next() {
    TextLine line;
    while (line.words.empty() && position_ < text_.size()) {
        const std::size_t end = std::min(text_.find('\n', position_), text_.size());
        std::string_view rest = std::string_view(text_).substr(position_, end - position_);
        position_ = end + 1;
        line.number = ++lineNumber_;
        const std::size_t first = rest.find_first_not_of(Blanks);
        if (first == std::string_view::npos) continue;
        line.text = rest.substr(first, rest.find_last_not_of(Blanks) - first + 1);
        rest = line.text;
        while (!rest.empty()) {
            const std::size_t wordEnd = std::min(rest.find_first_of(Blanks), rest.size());
            line.words.push_back(rest.substr(0, wordEnd));
            rest.remove_prefix(wordEnd);
            rest.remove_prefix(std::min(rest.find_first_not_of(Blanks), rest.size()));
        }
    }
    if (line.words.empty()) line.number = lineNumber_ + 1;
    return line;
}

}    // namespace timetabling
