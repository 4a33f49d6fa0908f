#include <ferry/serialization/checkpoint/TypeText.hpp>

#include <algorithm>

#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::detail {

void TypeText::appendClass(const std::type_info& type) { appendClass(spelledTypeName(type)); }

void TypeText::appendNumber(std::string_view kind, std::size_t bytes) { append(std::string(kind) + std::to_string(8 * bytes)); }

bool TypeText::addKnown(const std::type_info& type) {
    const auto known = std::find_if(open_.rbegin(), open_.rend(), [&type](const std::type_info* open) { return *open == type; });
    if (known == open_.rend()) return false;
    append("^");
    append(std::to_string(known - open_.rbegin() + 1));
    return true;
}

namespace {

bool isOpening(char character) { return character == '[' || character == '{' || character == '<'; }
bool isClosing(char character) { return character == ']' || character == '}' || character == '>'; }
char closingOf(char opening) { return opening == '[' ? ']' : opening == '{' ? '}' : '>'; }

/// Returns the index of the ] that closes the list at `place`. Returns the end of the text if the brackets from there on do not fit.
std::size_t endOfList(std::string_view text, std::size_t place) {
    std::string closing = "]";    // the brackets that are to come, the innermost last
    for (; place < text.size(); ++place) {
        if (isOpening(text[place])) closing.push_back(closingOf(text[place]));
        if (!isClosing(text[place])) continue;
        if (text[place] != closing.back()) break;
        closing.pop_back();
        if (closing.empty()) return place;
    }
    return text.size();
}

}    // namespace

bool isSameType(std::string_view left, std::string_view right) {
    // Names of types may have brackets that do not fit.
    if (left == right) return true;
    std::string open;    // the brackets around the place, the outermost first
    std::size_t i = 0, k = 0;
    while (i < left.size() && k < right.size()) {
        if (left[i] != right[k]) {
            const bool isLeftShorter = left[i] == ']', isRightShorter = right[k] == ']';
            if (open.empty() || open.back() != '[' || isLeftShorter == isRightShorter) return false;
            const std::string_view longer = isLeftShorter ? right : left;
            std::size_t& place = isLeftShorter ? k : i;
            if (longer[place] != ',' && longer[place - 1] != '[') return false;
            place = endOfList(longer, place);
            if (place == longer.size()) return false;    // a damaged text
            continue;
        }
        if (isOpening(left[i])) open.push_back(left[i]);
        if (isClosing(left[i])) {
            if (open.empty()) return false;
            open.pop_back();
        }
        ++i;
        ++k;
    }
    return i == left.size() && k == right.size();
}

}    // namespace ferry::detail
