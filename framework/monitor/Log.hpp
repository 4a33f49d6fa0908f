#pragma once

#include <string>

#include <fmt/format.h>
#include <spdlog/logger.h>

namespace ferry {

/// The log of this process, on standard error; every line names the rank that wrote it. Safe from any thread.
spdlog::logger& log();

/// Writes a line to the log. Unlike the logger's own functions, this one leaves the formatting to the fmt library, where it is compiled
/// already, instead of compiling all of it into every file that logs.
template <class... Values>
void logLine(spdlog::level::level_enum level, fmt::format_string<Values...> format, Values&&... values) {
    if (log().should_log(level)) log().log(level, fmt::vformat(format, fmt::make_format_args(values...)));
}

/// Which lines are written: trace, debug, info, warn (the default), error or off.
/// Errors: UsageError for any other word.
void setLogLevel(const std::string& level);

}    // namespace ferry
