#include <ferry/connector/exception/report/ranksInWords.hpp>

#include <cstddef>

#include <fmt/format.h>

namespace ferry {

namespace {

constexpr std::size_t mostRangesNamed = 8;

}    // namespace

std::string detail::ranksInWords(const std::vector<int>& ranks) {
    std::vector<std::string> ranges;
    std::size_t named = 0;
    for (std::size_t i = 0; i < ranks.size() && ranges.size() < mostRangesNamed;) {
        std::size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
        ranges.push_back(end - i == 1 ? fmt::format("{}", ranks[i]) : fmt::format("{}-{}", ranks[i], ranks[end - 1]));
        named += end - i;
        i = end;
    }
    const std::string text = fmt::format("{}", fmt::join(ranges, ", "));
    return named < ranks.size() ? fmt::format("{}, and {} more", text, ranks.size() - named) : text;
}

std::string detail::ranksWithCount(const std::vector<int>& ranks) {
    return ranks.size() == 1 ? fmt::format("rank {}", ranks.front()) : fmt::format("{} ranks ({})", ranks.size(), ranksInWords(ranks));
}

}    // namespace ferry
