#include <ferry/benchmarks/serialization/Table.hpp>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace bench {

namespace {

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Of the ratios within each round, so that what slows the machine down for a while slows both.
double medianRatio(const Contender& above, const Contender& below) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < above.roundsNs().size(); ++round)
        ratios.push_back(above.roundsNs()[round] / below.roundsNs()[round]);
    return medianOf(std::move(ratios));
}

std::string verdict(bool isReached) { return isReached ? "" : ", missed"; }

std::string limitText(const Case& one, const Contender& ferry) {
    const Contender* limit = one.find("limit");
    if (limit == nullptr) return "";
    const double ratio = medianRatio(ferry, *limit);
    std::string text = fmt::format("{:.2f}", ratio);
    if (const auto goal = one.goalFor("limit")) text += fmt::format(" (<= {}{})", *goal, verdict(ratio <= *goal));
    return text;
}

std::string peerText(const Case& one, const Contender& ferry, const std::string& peerName) {
    const Contender* peer = one.find(peerName);
    if (peer == nullptr) return "";
    const double ratio = medianRatio(*peer, ferry);
    std::string text = fmt::format("{:.2f}", ratio);
    if (const auto goal = one.goalFor(peerName)) text += fmt::format(" (>= {}{})", *goal, verdict(ratio >= *goal));
    return text;
}

}    // namespace

void printRatios(const Suite& suite) {
    std::printf(
        "| case | ferry, ns | limit | ferry / limit (goal) | cereal / ferry (goal) | Boost / ferry (goal) |\n|---|---|---|---|---|---|\n");
    for (const Case& one : suite.cases()) {
        const Contender* ferry = one.find("ferry");
        if (ferry == nullptr) continue;
        const std::string line = fmt::format("| {} | {:.1f} | {} | {} | {} | {} |\n", one.name, medianOf(ferry->roundsNs()), one.limitName,
                                             limitText(one, *ferry), peerText(one, *ferry, "cereal"), peerText(one, *ferry, "Boost"));
        std::fputs(line.c_str(), stdout);
    }
}

void printBytes(const StreamBytes& bytes) {
    for (const auto& [caseName, contenders] : bytes) {
        std::string line = fmt::format("\n{}, bytes:", caseName);
        for (const auto& [contender, byteCount] : contenders) line += fmt::format(" {} {}", contender, byteCount);
        std::fputs((line + "\n").c_str(), stdout);
    }
}

}    // namespace bench
