#include <ferry/apps/timetabling/report/Moved.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling {

std::string sumUpMoved(const std::vector<Moved>& moved, std::int64_t total, const char* noun) {
    const auto count = [&](auto predicate) { return std::count_if(moved.begin(), moved.end(), predicate); };
    const auto forced = count([](const Moved& one) { return one.isMoved() && !one.cause.empty(); });
    std::string text = fmt::format("{} of {} moved", count([](const Moved& one) { return one.isMoved(); }), counted(total, noun));
    if (forced > 0) text += fmt::format(", {} of them because their place is gone or closed", forced);
    return text;
}

std::string describe(const Moved& moved, const char* noun, const std::string& name) {
    const char* article = std::string_view("aeiou").find(*noun) == std::string_view::npos ? "a" : "an";
    if (moved.from.empty()) return fmt::format("{}: {} {} more: {}", name, article, noun, moved.to);
    if (moved.to.empty()) return fmt::format("{}: {} {} less: {}", name, article, noun, moved.from);
    return fmt::format("{}: {} -> {}{}", name, moved.from, moved.to, moved.cause.empty() ? "" : " (" + moved.cause + ")");
}

std::string describeMoved(const std::vector<Moved>& moved, std::int64_t total, const char* noun,
                          const std::function<std::string(int)>& nameOf) {
    constexpr std::size_t MostLines = 40;
    std::string text = sumUpMoved(moved, total, noun) + "\n";
    const std::size_t shown = std::min(moved.size(), MostLines);
    for (std::size_t i = 0; i < shown; ++i) text += fmt::format("  {}\n", describe(moved[i], noun, nameOf(moved[i].item)));
    if (shown < moved.size()) text += fmt::format("  and {} more\n", moved.size() - shown);
    return text;
}

void showMoved(TimetableView& view, const std::vector<Moved>& moved, std::int64_t total, const char* noun,
               const std::function<std::string(int)>& nameOf, const std::function<WeekEntry*(const Moved&)>& entryOf) {
    view.movedSummary = sumUpMoved(moved, total, noun);
    for (const Moved& one : moved) {
        view.moved.push_back(describe(one, noun, nameOf(one.item)));
        WeekEntry* entry = one.period < 0 ? nullptr : entryOf(one);
        if (entry) entry->notes.push_back(one.isMoved() ? "before: " + one.from : "not published before");
    }
}

void addMoved(nlohmann::ordered_json& report, const std::vector<Moved>& moved, const char* key,
              const std::function<nlohmann::ordered_json(int)>& nameOf) {
    report["movedCount"] = std::count_if(moved.begin(), moved.end(), [](const Moved& one) { return one.isMoved(); });
    report["moved"] = nlohmann::ordered_json::array();
    for (const Moved& one : moved) {
        nlohmann::ordered_json object;
        object[key] = nameOf(one.item);
        if (!one.from.empty()) object["from"] = one.from;
        if (!one.to.empty()) object["to"] = one.to;
        if (!one.cause.empty()) object["cause"] = one.cause;
        report["moved"].push_back(std::move(object));
    }
}

}    // namespace timetabling
