#pragma once

#include <optional>
#include <string>

#include <ferry/framework/ending/ShutdownSettings.hpp>
#include <ferry/framework/journal/JournalSettings.hpp>
#include <ferry/framework/monitor/MonitorSettings.hpp>
#include <ferry/framework/slave/KeepSettings.hpp>
#include <ferry/framework/watch/WatchSettings.hpp>

namespace ferry::detail {

/// Ferry's options on the command line of any program: --ferry-slaves N, --ferry-group-size N, --ferry-log LEVEL,
/// --ferry-grace SECONDS, --ferry-heartbeat MILLISECONDS, --ferry-report FILE, --ferry-journal FILE, --ferry-journal-flush SECONDS,
/// --ferry-job NAME, --ferry-keep-memory MEBIBYTES, --ferry-team-grace SECONDS, --ferry-quiet, --ferry-statistics FILE,
/// --ferry-trace FILE.
struct Options {
    std::optional<int> slaveCount;    ///< number of slaves when they are threads
    std::optional<int> groupSize;     ///< number of slaves of a sub-master; 0: no sub-masters; empty: the job finds it
    std::string logLevel = "warn";
    ShutdownSettings shutdown;
    JournalSettings journal;
    MonitorSettings monitor;
    WatchSettings watch;
    KeepSettings keeping;
};

/// Takes Ferry's own options out of the command line, so that the program's own parser never sees them.
/// Errors: UsageError that names the option and its allowed values.
Options takeOptions(int& argc, char** argv);

}    // namespace ferry::detail
