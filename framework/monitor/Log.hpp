#pragma once

#include <string_view>

#include <fmt/format.h>
#include <spdlog/logger.h>

#include <ferry/framework/monitor/LogLevel.hpp>

namespace ferry::detail {

/// The log of this process, on standard error; every line names the rank that wrote it. Safe from any thread.
spdlog::logger& log();

/// Writes a text to the log. Control characters in it are escaped: texts of exceptions, names and paths may come from outside.
void logText(spdlog::level::level_enum level, std::string_view text);

/// Writes a line to the log. The formatting is done by the compiled fmt library. The logger's own functions would compile the formatting
/// into every file that logs.
template <class... Values>
void logLine(spdlog::level::level_enum level, fmt::format_string<Values...> format, Values&&... values) {
    if (log().should_log(level)) logText(level, fmt::vformat(format, fmt::make_format_args(values...)));
}

}    // namespace ferry::detail
