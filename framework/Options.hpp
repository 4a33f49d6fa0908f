#pragma once

#include <optional>
#include <string>

namespace ferry {

/// What a user may set on the command line of any program with Ferry: --ferry-slaves N, --ferry-log LEVEL.
struct Options {
    std::optional<int> slaveCount;    ///< how many slaves, when they are threads
    std::string logLevel = "warn";
};

/// Takes Ferry's own options out of the command line, so that the program's own parser never sees them.
/// Errors: UsageError that names the option, and what it takes.
Options takeOptions(int& argc, char** argv);

}    // namespace ferry
