#include <ferry/apps/timetabling/io/closestName.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

constexpr std::size_t longestCompared = 60;    ///< bytes; longer names are not compared

/// The number of bytes that have to be changed, put in or taken out (V. Levenshtein, 1966).
std::size_t differenceOf(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < one.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t k = 0; k < other.size(); ++k) {
            const std::size_t above = row[k + 1];
            row[k + 1] = std::min({above + 1, row[k] + 1, diagonal + (one[i] == other[k] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
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
