#include <ferry/framework/monitor/Progress.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace ferry::detail {

namespace {

// Goes to the beginning of a terminal's line and erases the line.
constexpr const char* newLine = "\r\x1b[K";

std::string bar(std::size_t ended, std::size_t total) {
    constexpr std::size_t width = 20;
    const std::size_t full = std::min(total == 0 ? 0 : ended * width / total, width);
    return '[' + std::string(full, '#') + std::string(width - full, '.') + "] ";
}

std::string durationText(double seconds) {
    if (seconds < 10) return fmt::format("{:.1f} s", seconds);
    if (seconds < 120) return fmt::format("{:.0f} s", seconds);
    if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

}    // namespace

std::string Progress::text(const JobStatistics& statistics, TimePoint now) {
    const std::size_t ended = statistics.endedCount(), total = std::max(statistics.totalCount(), ended);
    const double rate = statistics.rate(now);
    std::string text =
        fmt::format("{} of {} tasks ({} %), {:.{}f}/s", ended, total, total == 0 ? 100 : ended * 100 / total, rate, rate < 10 ? 1 : 0);
    if (rate > 0 && ended < total) text += fmt::format(", {} left", durationText(static_cast<double>(total - ended) / rate));
    if (statistics.failedCount() != 0) text += fmt::format(", {} failed", statistics.failedCount());
    return text;
}

std::optional<std::string> Progress::due(const JobStatistics& statistics, TimePoint now) {
    if (now < next_) return std::nullopt;
    next_ = now + timeBetween(place_);
    wasShown_ = true;
    if (place_ == Place::File) return fmt::format("ferry: {}\n", text(statistics, now));
    return newLine + bar(statistics.endedCount(), std::max(statistics.totalCount(), statistics.endedCount())) + text(statistics, now);
}

std::string Progress::ending(const JobStatistics& statistics, TimePoint now) const {
    if (!wasShown_) return {};
    return (place_ == Place::Terminal ? newLine : "") + statistics.table(now);
}

}    // namespace ferry::detail
