#include <ferry/apps/timetabling/io/closestName.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

constexpr std::size_t longestCompared = 60;    ///< bytes; longer names are not compared

/// The number of bytes that have to be changed, put in, taken out or exchanged with their neighbours (F. Damerau, 1964).
std::size_t differenceOf(std::string_view one, std::string_view other) {
    std::vector<std::vector<std::size_t>> table(one.size() + 1, std::vector<std::size_t>(other.size() + 1));
    for (std::size_t i = 0; i <= one.size(); ++i) {
        for (std::size_t k = 0; k <= other.size(); ++k) {
            std::size_t& least = table[i][k];
            least = i == 0 || k == 0 ? i + k : table[i - 1][k - 1] + (one[i - 1] == other[k - 1] ? 0 : 1);
            if (i > 0) least = std::min(least, table[i - 1][k] + 1);
            if (k > 0) least = std::min(least, table[i][k - 1] + 1);
            const bool isExchange = i > 1 && k > 1 && one[i - 1] == other[k - 2] && one[i - 2] == other[k - 1];
            if (isExchange) least = std::min(least, table[i - 2][k - 2] + 1);
        }
    }
    return table.back().back();
}

}    // namespace

std::string meantInstead(std::string_view name, const std::vector<std::string>& candidates) {
    if (name.empty() || name.size() > longestCompared) return {};
    const std::string folded = foldedName(name);
    const std::string* best = nullptr;
    std::size_t least = (folded.size() + 1) / 4;
    for (const std::string& candidate : candidates) {
        if (candidate.size() > longestCompared) continue;
        const std::size_t difference = differenceOf(folded, foldedName(candidate));
        if (difference > least || (best != nullptr && difference == least)) continue;
        least = difference;
        best = &candidate;
    }
    return best == nullptr ? "" : fmt::format("; did you mean '{}'?", printable(*best));
}

}    // namespace timetabling
