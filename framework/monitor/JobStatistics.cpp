#include <ferry/framework/monitor/JobStatistics.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/connector/exception/report/jsonText.hpp>

namespace ferry::detail {

namespace {

/// The longest duration that a reply can state.
constexpr JobStatistics::Duration longestSaid{std::numeric_limits<std::int32_t>::max()};

double secondsOf(JobStatistics::Duration time) { return std::chrono::duration<double>(time).count(); }

/// A number of bytes as text, such as 17 B or 1.5 MiB.
std::string bytesText(std::uint64_t bytes) {
    constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
    auto number = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; number >= 1024 && unit + 1 < units.size(); ++unit) number /= 1024;
    return fmt::format("{:.{}f} {}", number, unit == 0 || number >= 100 ? 0 : 1, units[unit]);
}

}    // namespace

void JobStatistics::joined(int count, TimePoint now) {
    OfSlave fresh;
    fresh.joinedAt = fresh.lastHeard = now;
    slaves_.resize(slaves_.size() + static_cast<std::size_t>(count), fresh);
}

void JobStatistics::sent(int slave, std::size_t taskCount, std::size_t ints, TimePoint now) {
    OfSlave& to = slaveAt(slave);
    if (to.openCount == 0) to.lastHeard = now;
    to.openCount += taskCount;
    to.bytesSent += ints * sizeof(std::int32_t);
}

void JobStatistics::received(int slave, std::size_t ints) { slaveAt(slave).bytesReceived += ints * sizeof(std::int32_t); }

void JobStatistics::answered(int slave, Duration taken, bool isFailure, TimePoint now) {
    OfSlave& from = slaveAt(slave);
    ++from.taskCount;
    from.failureCount += isFailure ? 1 : 0;
    from.busy += taken < longestSaid ? taken : std::max<Duration>(taken, now - from.lastHeard);
    from.lastHeard = now;
    from.openCount -= std::min<std::size_t>(from.openCount, 1);
}

void JobStatistics::givenBack(int slave) {
    OfSlave& from = slaveAt(slave);
    from.openCount -= std::min<std::size_t>(from.openCount, 1);
}

void JobStatistics::lost(int slave, const std::string& reason, std::size_t orphanCount, TimePoint now) {
    OfSlave& gone = slaveAt(slave);
    gone.lossReason = reason;
    gone.orphanCount = orphanCount;
    gone.openCount = 0;
    gone.lostAt = now;
}

/// A line for each slave that has joined, left, or is lost.
std::string JobStatistics::changes() const {
    std::string text;
    for (std::size_t i = 0; i < slaves_.size(); ++i) {
        const OfSlave& slave = slaves_[i];
        if (slave.joinedAt > begin_) text += fmt::format("  rank {} joined after {:.1f} s\n", i + 1, secondsOf(slave.joinedAt - begin_));
        if (slave.dismissedAt) text += fmt::format("  rank {} left after {:.1f} s\n", i + 1, secondsOf(*slave.dismissedAt - begin_));
        if (!slave.lossReason.empty())
            text += fmt::format("  rank {} {}; tasks that it had: {}\n", i + 1, slave.lossReason, slave.orphanCount);
    }
    return text;
}

double JobStatistics::rate(TimePoint now) const noexcept {
    const double seconds = secondsOf(now - begin_);
    return seconds > 0 ? static_cast<double>(endedCount_ - journalCount_) / seconds : 0;
}

double JobStatistics::busyShare(const OfSlave& slave, TimePoint now) const noexcept {
    const double seconds = secondsOf(slave.dismissedAt.value_or(slave.lostAt.value_or(now)) - slave.joinedAt);
    return seconds > 0 ? std::min(secondsOf(slave.busy) / seconds, 1.0) : 0;
}

std::string JobStatistics::table(TimePoint now) const {
    std::string text = fmt::format("ferry: {} tasks in {:.1f} s, {} of them failed", endedCount_, secondsOf(now - begin_), failedCount_);
    if (journalCount_ != 0) text += fmt::format(", {} were in the journal", journalCount_);
    text +=
        fmt::format("\n  {:>6} {:>10} {:>6} {:>8} {:>8} {:>10} {:>10}\n", "rank", "tasks", "busy", "failed", "retried", "sent", "received");
    for (std::size_t i = 0; i < slaves_.size(); ++i) {
        const OfSlave& slave = slaves_[i];
        if (slave.groupSize > 0) {
            const std::string bytes = fmt::format("{:>10} {:>10}", bytesText(slave.bytesSent), bytesText(slave.bytesReceived));
            text += fmt::format("  {:>6} {:<35} {}\n", i + 1, fmt::format("sub-master of {} slaves", slave.groupSize), bytes);
            continue;
        }
        text += fmt::format("  {:>6} {:>10} {:>4.0f} % {:>8} {:>8} {:>10} {:>10}\n", i + 1, slave.taskCount, 100 * busyShare(slave, now),
                            slave.failureCount, slave.retryCount, bytesText(slave.bytesSent), bytesText(slave.bytesReceived));
    }
    return text + changes();
}

std::string JobStatistics::json(TimePoint now) const {
    nlohmann::ordered_json json{
        {"seconds", secondsOf(now - begin_)}, {"tasks", endedCount_},        {"failed", failedCount_},
        {"fromJournal", journalCount_},       {"tasksPerSecond", rate(now)}, {"slaves", nlohmann::ordered_json::array()}};
    for (std::size_t i = 0; i < slaves_.size(); ++i) {
        const OfSlave& slave = slaves_[i];
        json["slaves"].push_back(
            {{"rank", i + 1},
             {"groupSize", slave.groupSize},
             {"tasks", slave.taskCount},
             {"busy", busyShare(slave, now)},
             {"busySeconds", secondsOf(slave.busy)},
             {"failed", slave.failureCount},
             {"retried", slave.retryCount},
             {"bytesSent", slave.bytesSent},
             {"bytesReceived", slave.bytesReceived},
             {"lost", slave.lossReason.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(slave.lossReason)},
             {"orphans", slave.orphanCount},
             {"joined", secondsOf(slave.joinedAt - begin_)},
             {"dismissed", slave.dismissedAt ? nlohmann::ordered_json(secondsOf(*slave.dismissedAt - begin_)) : nlohmann::ordered_json()}});
    }
    return jsonText(json, 2) + '\n';
}

}    // namespace ferry::detail
