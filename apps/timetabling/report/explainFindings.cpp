#include <ferry/apps/timetabling/report/explainFindings.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>

namespace timetabling {

namespace {

constexpr std::size_t longestLine = 1000;    ///< limit for one line

std::string describeConstraint(std::vector<const Finding*> findings) {
    std::int64_t total = 0;
    for (const Finding* finding : findings) total += finding->amount;
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding* one, const Finding* other) { return one->amount > other->amount; });
    const Finding& any = *findings.front();
    std::string text = fmt::format("{} ({}): {}\n", any.constraint, any.isHard ? "hard" : "soft", total);
    for (const Finding* finding : findings) text += fmt::format("  {}\n", printable(finding->text, longestLine));
    return text + "\n";
}

/// Sorts by violations first and by cost second. The two numbers are never added.
std::string describeSubjects(const std::vector<Finding>& findings) {
    constexpr std::size_t mostSubjects = 10;
    std::map<std::string, std::pair<std::int64_t, std::int64_t>> amounts;
    for (const Finding& finding : findings) {
        auto& [violations, cost] = amounts[finding.subject];
        (finding.isHard ? violations : cost) += finding.amount;
    }
    std::vector<std::pair<std::string, std::pair<std::int64_t, std::int64_t>>> subjects(amounts.begin(), amounts.end());
    std::stable_sort(subjects.begin(), subjects.end(), [](const auto& one, const auto& other) { return one.second > other.second; });
    if (subjects.size() > mostSubjects) subjects.resize(mostSubjects);
    std::string text = "Concerned most:\n";
    for (const auto& [subject, amount] : subjects)
        text += fmt::format("  {}: violations {}, cost {}\n", printable(subject, longestLine), amount.first, amount.second);
    return text + "\n";
}

/// Returns the last line of the text.
std::string_view summaryOf(std::string_view score) {
    if (score.ends_with('\n')) score.remove_suffix(1);
    return score.substr(score.rfind('\n') + 1);
}

}    // namespace

std::string explainFindings(const Examination& examination) {
    std::string text;
    const std::vector<Finding>& findings = examination.findings;
    for (std::size_t begin = 0; begin < findings.size();) {
        std::vector<const Finding*> ofConstraint;
        while (begin < findings.size() && (ofConstraint.empty() || findings[begin].constraint == ofConstraint.front()->constraint))
            ofConstraint.push_back(&findings[begin++]);
        text += describeConstraint(std::move(ofConstraint));
    }
    if (!findings.empty()) text += describeSubjects(findings);
    return text + fmt::format("{}\n", summaryOf(examination.score));
}

}    // namespace timetabling
