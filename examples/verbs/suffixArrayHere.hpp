#pragma once

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

namespace verbs {

/// Returns the positions of the suffixes of a text in alphabetical order, on one rank alone. The examples compare with it.
inline std::vector<long> suffixArrayHere(std::string_view text) {
    std::vector<long> positions(text.size());
    std::iota(positions.begin(), positions.end(), 0);
    std::sort(positions.begin(), positions.end(), [text](long one, long other) { return text.substr(one) < text.substr(other); });
    return positions;
}

}    // namespace verbs
