#include <ferry/framework/JobMonitor.hpp>

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <utility>

#include <ferry/framework/Log.hpp>

namespace ferry {

namespace {

Progress::Place placeOfProgress(bool isQuiet) {
    if (isQuiet) return Progress::Place::Nowhere;
    return ::isatty(STDERR_FILENO) != 0 ? Progress::Place::Terminal : Progress::Place::File;
}

void say(const std::string& text) {
    std::fputs(text.c_str(), stderr);
    std::fflush(stderr);
}

}    // namespace

JobMonitor::JobMonitor(MonitorSettings settings, int slaveCount, TimePoint begin)
    : settings_(std::move(settings)),
      statistics_(slaveCount, begin),
      progress_(placeOfProgress(settings_.isQuiet), begin) {}

void JobMonitor::show(TimePoint now) {
    if (const std::optional<std::string> text = progress_.due(statistics_, now)) say(*text);
}

void JobMonitor::end(TimePoint now) noexcept {
    try {
        say(progress_.ending(statistics_, now));
        if (settings_.statisticsPath.empty()) return;
        std::ofstream file(settings_.statisticsPath);
        file << statistics_.json(now);
        file.close();
        if (!file) logLine(spdlog::level::err, "the statistics cannot be written to {}", settings_.statisticsPath);
    } catch (const std::exception& error) {
        logLine(spdlog::level::err, "the statistics cannot be told: {}", error.what());
    }
}

}    // namespace ferry
