#pragma once

#include <string>

#include <spdlog/logger.h>

namespace ferry {

/// The log of this process, on standard error; every line names the rank that wrote it. Safe from any thread.
spdlog::logger& log();

/// Which lines are written: trace, debug, info, warn (the default), error or off.
/// Errors: UsageError for any other word.
void setLogLevel(const std::string& level);

}    // namespace ferry
