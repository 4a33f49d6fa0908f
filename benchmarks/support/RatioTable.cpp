#include <ferry/benchmarks/support/RatioTable.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace bench {

namespace {

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The median of the ratios within each round. A temporary slowdown of the machine affects both contenders of a round.
double medianRatio(const Contender& above, const Contender& below) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < above.roundsNs().size(); ++round)
        ratios.push_back(above.roundsNs()[round] / below.roundsNs()[round]);
    return medianOf(std::move(ratios));
}

double leastOf(const Contender& contender) { return *std::min_element(contender.roundsNs().begin(), contender.roundsNs().end()); }

std::string cellOf(const Case& one, const RatioColumn& column, RoundChoice choice) {
    const Contender* above = one.find(column.above);
    const Contender* below = one.find(column.below);
    if (above == nullptr || below == nullptr) return "";
    const double ratio = choice == RoundChoice::Median ? medianRatio(*above, *below) : leastOf(*above) / leastOf(*below);
    const bool isLimit = column.goal == RatioColumn::Goal::AtMost;
    std::string text = fmt::format("{:.2f}", ratio);
    if (const auto goal = one.goalFor(column.name)) {
        const bool isReached = isLimit ? ratio <= *goal : ratio >= *goal;
        text += fmt::format(" ({} {}{})", isLimit ? "<=" : ">=", *goal, isReached ? "" : ", missed");
    }
    return text;
}

}    // namespace

RatioTable::RatioTable(std::string mainContender, std::string unit, double unitNs, std::vector<RatioColumn> columns, RoundChoice choice)
    : mainContender_(std::move(mainContender)),
      unit_(std::move(unit)),
      unitNs_(unitNs),
      columns_(std::move(columns)),
      choice_(choice) {}

void RatioTable::printHead() const {
    std::string head = fmt::format("| case | {}, {} | limit |", mainContender_, unit_);
    std::string line = "|---|---|---|";
    for (const RatioColumn& column : columns_) {
        head += fmt::format(" {} |", column.title);
        line += "---|";
    }
    std::fputs((head + "\n" + line + "\n").c_str(), stdout);
}

void RatioTable::printRow(const Case& one) const {
    const Contender* main = one.find(mainContender_);
    if (main == nullptr) return;
    const double ns = choice_ == RoundChoice::Median ? medianOf(main->roundsNs()) : leastOf(*main);
    std::string line = fmt::format("| {} | {:.1f} | {} |", one.name, ns / unitNs_, one.limitName);
    for (const RatioColumn& column : columns_) line += fmt::format(" {} |", cellOf(one, column, choice_));
    std::fputs((line + "\n").c_str(), stdout);
    std::fflush(stdout);
}

}    // namespace bench
