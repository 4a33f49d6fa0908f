#include <ferry/framework/monitor/JobMonitor.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ferry/framework/monitor/ChromeTrace.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/TraceCollection.hpp>
#include <ferry/framework/schedule/slaveNumbers.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/file/FileError.hpp>

namespace ferry::detail {

namespace {

// Time for the slaves to send their events.
constexpr std::chrono::milliseconds patience{1000};

Progress::Place placeOfProgress(bool isQuiet) {
    if (isQuiet) return Progress::Place::Nowhere;
    return ::isatty(STDERR_FILENO) != 0 ? Progress::Place::Terminal : Progress::Place::File;
}

void say(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

void logUnwritten(const std::string& path, const FileError& error) {
    const std::string name = printable(path);
    std::string_view cause = error.what();
    if (cause.starts_with(name + ": ")) cause.remove_prefix(name.size() + 2);
    logLine(spdlog::level::err, "{} cannot be written: {}", name, cause);
}

/// Opens the file before the job begins. Empty: no file is wanted, or the file cannot be written. The log reports the second case, and
/// writeAtEnd() tries again.
std::optional<TextOutput> openEarly(const std::string& path) {
    if (path.empty()) return std::nullopt;
    try {
        return TextOutput(path, OutputStream::Short);
    } catch (const FileError& error) {
        logUnwritten(path, error);
        return std::nullopt;
    }
}

void writeAtEnd(const std::optional<TextOutput>& opened, const std::string& path, const std::string& text) {
    try {
        if (opened) return opened->write(text);
        TextOutput(path).write(text);
    } catch (const FileError& error) {
        logUnwritten(path, error);
    }
}

}    // namespace

JobMonitor::JobMonitor(MonitorSettings settings, int slaveCount, TimePoint begin)
    : settings_(std::move(settings)),
      statistics_(slaveCount, begin),
      progress_(placeOfProgress(settings_.isQuiet), begin),
      trace_(settings_.tracePath.empty() ? 0 : TraceBuffer::usualRoom),
      statisticsFile_(openEarly(settings_.statisticsPath)),
      traceFile_(openEarly(settings_.tracePath)) {}

void JobMonitor::show(TimePoint now) {
    if (const std::optional<std::string> text = progress_.due(statistics_, now)) say(*text);
}

void JobMonitor::sent(int slave, std::span<const std::int32_t> calls, std::size_t ints, TimePoint now) {
    statistics_.sent(slave, calls.size(), ints, now);
    if (!trace_.isOn()) return;
    for (const std::int32_t call : calls) trace_.add({TraceEvent::Kind::Send, call, 0, now, now});
}

void JobMonitor::answered(int slave, std::int32_t call, JobStatistics::Duration taken, bool isFailure, TimePoint now) {
    statistics_.answered(slave, taken, isFailure, now);
    trace_.add({TraceEvent::Kind::TakeIn, call, 0, now, now});
}

void JobMonitor::collectTrace(Connector& connector) {
    std::vector<int> slaveRanks;
    for (int rank = 1; rank < connector.size(); ++rank) {
        if (!statistics_.slaves()[static_cast<std::size_t>(slaveOfRank(rank))].dismissedAt) slaveRanks.push_back(rank);
    }
    collectTraces(connector, slaveRanks);
}

void JobMonitor::collectTraces(Connector& connector, const std::vector<int>& slaveRanks) {
    if (!trace_.isOn()) return;
    std::vector<RankTrace> traces = ferry::detail::collectTraces(connector, slaveRanks, patience);
    slaveTraces_.insert(slaveTraces_.end(), std::make_move_iterator(traces.begin()), std::make_move_iterator(traces.end()));
}

void JobMonitor::end(TimePoint now) noexcept {
    try {
        say(progress_.ending(statistics_, now));
        if (!settings_.statisticsPath.empty()) writeAtEnd(statisticsFile_, settings_.statisticsPath, statistics_.json(now));
        if (trace_.isOn()) writeAtEnd(traceFile_, settings_.tracePath, traceText());
    } catch (const std::exception& error) {
        logLine(spdlog::level::err, "progress, statistics or trace of the job cannot be written: {}", error.what());
    }
}

std::string JobMonitor::traceText() const {
    std::vector<RankTrace> ranks{{0, trace_.events(), trace_.droppedCount()}};
    ranks.front().names = trace_.names();
    ranks.insert(ranks.end(), slaveTraces_.begin(), slaveTraces_.end());
    return chromeTrace(ranks, statistics_.begin(), ObjectFactory::global());
}

}    // namespace ferry::detail
