#include <ferry/apps/timetabling/report/LeftOut.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling {

namespace {

std::int64_t countOf(const std::vector<LeftOut>& leftOut) {
    std::int64_t count = 0;
    for (const LeftOut& one : leftOut) count += one.count;
    return count;
}

}    // namespace

void Obstacles::addFree(const std::string& place) {
    if (free_++ == 0) firstFree_ = place;
}

std::string Obstacles::text(int periods, const std::string& room) const {
    constexpr std::size_t mostNamed = 5;
    std::vector<std::pair<std::string, int>> taken(taken_.begin(), taken_.end());
    std::stable_sort(taken.begin(), taken.end(), [](const auto& one, const auto& other) { return one.second > other.second; });
    std::vector<std::string> parts;
    const auto add = [&](int count, const char* ofOne, const char* ofMany, const std::string& rest) {
        if (count > 0) parts.push_back(fmt::format("{} {} {}", count, count == 1 ? ofOne : ofMany, rest));
    };
    add(closed_, "is", "are", "closed to it");
    int others = 0;
    for (std::size_t i = 0; i < taken.size(); ++i) {
        if (i < mostNamed) {
            add(taken[i].second, "has", "have", taken[i].first);
        } else {
            others += taken[i].second;
        }
    }
    add(others, "has", "have", "others in its way");
    add(full_, "has", "have", "no " + room);
    add(free_, "is", "are", "free, the first: " + firstFree_);
    return fmt::format("of {}, {}", counted(periods, "period"), fmt::join(parts, ", "));
}

std::string sumUpLeftOut(const std::vector<LeftOut>& leftOut, std::int64_t total, const char* noun) {
    return fmt::format("{} of {} left out", countOf(leftOut), counted(total, noun));
}

std::string describe(const LeftOut& leftOut, const char* noun, const std::string& name) {
    return fmt::format("{}: {} left out: {}", name, counted(leftOut.count, noun), leftOut.reason);
}

std::string describeLeftOut(const std::vector<LeftOut>& leftOut, std::int64_t total, const char* noun,
                            const std::function<std::string(int)>& nameOf) {
    if (leftOut.empty()) return {};
    std::string text = sumUpLeftOut(leftOut, total, noun) + "\n";
    constexpr std::size_t mostLines = 40;
    const std::size_t shown = std::min(leftOut.size(), mostLines);
    for (std::size_t i = 0; i < shown; ++i) text += fmt::format("  {}\n", describe(leftOut[i], noun, nameOf(leftOut[i].item)));
    if (shown < leftOut.size()) text += fmt::format("  and {} more\n", leftOut.size() - shown);
    return text;
}

void showLeftOut(TimetableView& view, const std::vector<LeftOut>& leftOut, std::int64_t total, const char* noun,
                 const std::function<std::string(int)>& nameOf) {
    if (leftOut.empty()) return;
    view.leftOutSummary = sumUpLeftOut(leftOut, total, noun);
    for (const LeftOut& one : leftOut) view.leftOut.push_back(describe(one, noun, nameOf(one.item)));
}

void addLeftOut(nlohmann::ordered_json& report, const std::vector<LeftOut>& leftOut, const char* key,
                const std::function<nlohmann::ordered_json(int)>& nameOf) {
    if (leftOut.empty()) return;
    report["leftOutCount"] = countOf(leftOut);
    report["leftOut"] = nlohmann::ordered_json::array();
    for (const LeftOut& one : leftOut) {
        nlohmann::ordered_json object;
        object[key] = nameOf(one.item);
        object["count"] = one.count;
        object["reason"] = one.reason;
        report["leftOut"].push_back(std::move(object));
    }
}

}    // namespace timetabling
