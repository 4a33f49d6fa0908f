#include <ferry/framework/Options.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

constexpr std::string_view ownPrefix = "--ferry-";
constexpr int maxSlaves = 4096;
constexpr double leastGraceSeconds = 0.1;
constexpr double mostGraceSeconds = 86'400;

/// Moves the own options, with their values, out of argv; in reverse order, as CLI11 wants them.
std::vector<std::string> takeOwnArguments(int& argc, char** argv) {
    std::vector<std::string> own;
    int kept = std::min(argc, 1);
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--") {
            while (i < argc) argv[kept++] = argv[i++];
            break;
        }
        if (argument.substr(0, ownPrefix.size()) != ownPrefix) {
            argv[kept++] = argv[i];
            continue;
        }
        own.emplace_back(argument);
        const bool valueFollows = argument.find('=') == std::string_view::npos && i + 1 < argc;
        if (valueFollows) own.emplace_back(argv[++i]);
    }
    argc = kept;
    argv[argc] = nullptr;
    std::reverse(own.begin(), own.end());
    return own;
}

constexpr std::array logLevels = {"trace", "debug", "info", "warn", "error", "off"};

/// An own option's value as error messages show it: in quotes, and cut when it is long.
std::string quoted(const std::string& value) {
    constexpr std::size_t mostBytes = 60;
    return value.size() <= mostBytes ? fmt::format("'{}'", value) : fmt::format("'{}...'", value.substr(0, mostBytes));
}

/// CLI11 puts the name of the option before what these say.
CLI::Validator slaveCountValidator() {
    return CLI::Validator(
        [](const std::string& value) -> std::string {
            int count = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
            if (error == std::errc() && end == value.data() + value.size() && count >= 1 && count <= maxSlaves) return {};
            return fmt::format("expected a number of slaves from 1 to {}, found {}", maxSlaves, quoted(value));
        },
        "");
}

CLI::Validator logLevelValidator() {
    return CLI::Validator(
        [](const std::string& value) -> std::string {
            if (std::find(logLevels.begin(), logLevels.end(), value) != logLevels.end()) return {};
            return fmt::format("expected one of {}, found {}", fmt::join(logLevels, ", "), quoted(value));
        },
        "");
}

/// Seconds as milliseconds; none for a text that is no such number.
std::optional<std::chrono::milliseconds> graceOf(const std::string& seconds) {
    double number = 0;
    const auto [end, error] = std::from_chars(seconds.data(), seconds.data() + seconds.size(), number);
    const bool isNumber = error == std::errc() && end == seconds.data() + seconds.size();
    if (!isNumber || !(number >= leastGraceSeconds) || !(number <= mostGraceSeconds)) return std::nullopt;
    return std::chrono::milliseconds(std::llround(number * 1000));
}

CLI::Validator graceValidator() {
    return CLI::Validator(
        [](const std::string& value) -> std::string {
            if (graceOf(value)) return {};
            return fmt::format("expected seconds from {} to {}, found {}", leastGraceSeconds, mostGraceSeconds, quoted(value));
        },
        "");
}

}    // namespace

Options takeOptions(int& argc, char** argv) {
    Options options;
    CLI::App parser("options of Ferry");
    parser.set_help_flag();
    parser.add_option("--ferry-slaves", options.slaveCount, "number of slaves, when they are threads")
        ->check(slaveCountValidator())
        ->type_name("COUNT");
    parser.add_option("--ferry-log", options.logLevel, "lines to log")->check(logLevelValidator())->type_name("LEVEL");
    std::string grace;
    parser.add_option("--ferry-grace", grace, "seconds for a rank to end when the job is stopped")
        ->check(graceValidator())
        ->type_name("SECONDS");
    parser.add_option("--ferry-report", options.shutdown.reportPath, "where to write how the job has ended, as JSON")->type_name("FILE");
    try {
        parser.parse(takeOwnArguments(argc, argv));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    if (!grace.empty()) options.shutdown.grace = *graceOf(grace);
    return options;
}

}    // namespace ferry
