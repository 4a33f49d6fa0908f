#pragma once

#include <cstddef>
#include <string>

#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::test {

/// Returns the text with up to four changes: a changed byte, some removed bytes, or a repeated part.
inline std::string damaged(std::string text, Random& random) {
    for (int change = random.below(4); change >= 0; --change) {
        const auto place = static_cast<std::size_t>(random.below(static_cast<int>(text.size())));
        const int kind = random.below(3);
        if (kind == 0) text[place] = static_cast<char>(random.below(256));
        if (kind == 1) text.erase(place, static_cast<std::size_t>(1 + random.below(5)));
        if (kind == 2) text.insert(place, text.substr(static_cast<std::size_t>(random.below(static_cast<int>(place) + 1)), 20));
        if (text.empty()) text = "x";
    }
    return text;
}

}    // namespace timetabling::test
