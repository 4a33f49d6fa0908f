#pragma once

#include <string>

namespace ferry {

/// Sets the least severe level that the log of this process writes: trace, debug, info, warn (the default), error or off.
/// Errors: UsageError for any other word.
void setLogLevel(const std::string& level);

}    // namespace ferry
