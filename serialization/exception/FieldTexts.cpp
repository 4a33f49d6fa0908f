#include <ferry/serialization/exception/FieldTexts.hpp>

namespace ferry::detail {

void addFieldText(std::vector<ContextEntry>& entries, std::string_view name, std::string text) {
    constexpr std::size_t mostBytes = 400;
    if (entries.size() > mostFieldTexts) return;
    if (entries.size() == mostFieldTexts) {
        entries.push_back({"...", "..."});
        return;
    }
    if (text.size() > mostBytes) {
        std::size_t end = mostBytes;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;    // a character of UTF-8 stays whole
        text.resize(end);
        text += "...";
    }
    entries.push_back({std::string(name), std::move(text)});
}

}    // namespace ferry::detail
