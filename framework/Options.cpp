#include <ferry/framework/Options.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <locale>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/file/FileError.hpp>
#include <ferry/serialization/file/FilePlace.hpp>

namespace ferry::detail {

namespace {

constexpr std::string_view ownPrefix = "--ferry-";
constexpr std::string_view quietOption = "--ferry-quiet";    // the only option without a value
constexpr int maxSlaves = 4096;
constexpr double leastGraceSeconds = 0.1;
constexpr double mostSeconds = 86'400;
constexpr int leastHeartbeatMs = 10;
constexpr int mostHeartbeatMs = 600'000;

/// Moves Ferry's own options and their values out of argv. They are returned in reverse order, as CLI11 expects them.
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
        const bool valueFollows = argument != quietOption && argument.find('=') == std::string_view::npos && i + 1 < argc;
        if (valueFollows) own.emplace_back(argv[++i]);
    }
    argc = kept;
    argv[argc] = nullptr;
    std::reverse(own.begin(), own.end());
    return own;
}

constexpr std::array logLevels = {"trace", "debug", "info", "warn", "error", "off"};

/// The value of an option for error messages: in quotes, and cut when it is long.
std::string quoted(const std::string& value) {
    constexpr std::size_t mostBytes = 60;
    return value.size() <= mostBytes ? fmt::format("'{}'", value) : fmt::format("'{}...'", value.substr(0, mostBytes));
}

/// Validators of options. CLI11 puts the name of the option before their error texts.
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

CLI::Validator heartbeatValidator() {
    return CLI::Validator(
        [](const std::string& value) -> std::string {
            int milliseconds = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), milliseconds);
            const bool isNumber = error == std::errc() && end == value.data() + value.size();
            if (isNumber && (milliseconds == 0 || (milliseconds >= leastHeartbeatMs && milliseconds <= mostHeartbeatMs))) return {};
            return fmt::format("expected 0, or milliseconds from {} to {}, found {}", leastHeartbeatMs, mostHeartbeatMs, quoted(value));
        },
        "");
}

constexpr std::int64_t mostMebibytes = std::int64_t{1} << 30;

CLI::Validator mebibytesValidator() {
    return CLI::Validator(
        [](const std::string& value) -> std::string {
            std::int64_t count = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
            if (error == std::errc() && end == value.data() + value.size() && count >= 0 && count <= mostMebibytes) return {};
            return fmt::format("expected a number of mebibytes from 0 to {}, found {}", mostMebibytes, quoted(value));
        },
        "");
}

CLI::Validator groupSizeValidator() {
    return CLI::Validator(
        [](const std::string& value) -> std::string {
            int size = 0;
            const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), size);
            const bool isNumber = error == std::errc() && end == value.data() + value.size();
            if (isNumber && (size == 0 || (size >= SlaveGroups::leastSize && size <= maxSlaves))) return {};
            return fmt::format("expected 0, or a number of slaves from {} to {}, found {}", SlaveGroups::leastSize, maxSlaves,
                               quoted(value));
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

/// The decimal number that is the whole text, in any locale. libc++ 19 has no std::from_chars for numbers with a point.
std::optional<double> decimalIn(const std::string& text) {
    if (text.starts_with('+') || text.find_first_not_of("0123456789.+-eE") != std::string::npos) return std::nullopt;
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    double number = 0;
    if (!(in >> number) || !in.eof()) return std::nullopt;
    return number;
}

/// Seconds as milliseconds. Empty: the text is no number from `least` to `most`.
std::optional<std::chrono::milliseconds> secondsIn(const std::string& text, double least, double most) {
    const std::optional<double> number = decimalIn(text);
    if (!number || *number < least || *number > most) return std::nullopt;
    return std::chrono::milliseconds(std::llround(*number * 1000));
}

/// Adds an option with a value in seconds. The option sets `time`.
void addSeconds(CLI::App& parser, const std::string& name, std::chrono::milliseconds& time, double least, double most,
                const std::string& description) {
    parser
        .add_option_function<std::string>(
            name, [&time, least, most](const std::string& value) { time = *secondsIn(value, least, most); }, description)
        ->check(CLI::Validator(
            [least, most](const std::string& value) -> std::string {
                if (secondsIn(value, least, most)) return {};
                return fmt::format("expected seconds from {} to {}, found {}", least, most, quoted(value));
            },
            ""))
        ->type_name("SECONDS");
}

/// Adds an option with the path of a file. An empty text is refused: it would be taken for no file at all.
void addFile(CLI::App& parser, const std::string& name, std::string& path, const std::string& description) {
    parser.add_option(name, path, description)
        ->check(CLI::Validator(
            [](const std::string& value) -> std::string { return value.empty() ? "expected the name of a file, found an empty text" : ""; },
            ""))
        ->type_name("FILE");
}

/// The file behind a path, also through symbolic links. Empty: no path is given, the path names a device, a pipe or a folder, or its place
/// cannot be examined, which its writer says.
std::filesystem::path fileBehind(const std::string& path) {
    if (path.empty()) return {};
    try {
        const FilePlace place = FilePlace::of(path);
        const bool isFile = place.kind == FilePlace::Kind::Nothing || place.kind == FilePlace::Kind::File;
        return isFile ? std::filesystem::weakly_canonical(std::filesystem::absolute(place.target)) : std::filesystem::path();
    } catch (const FileError&) {
    } catch (const std::filesystem::filesystem_error&) {}
    return {};
}

/// Refuses two options that name one file, since the later one would take the place of the earlier one.
void requireDifferentFiles(const Options& options) {
    const std::array<std::pair<std::string_view, const std::string*>, 4> files{{{"--ferry-report", &options.shutdown.reportPath},
                                                                                {"--ferry-journal", &options.journal.path},
                                                                                {"--ferry-statistics", &options.monitor.statisticsPath},
                                                                                {"--ferry-trace", &options.monitor.tracePath}}};
    for (auto one = files.begin(); one != files.end(); ++one) {
        const std::filesystem::path file = fileBehind(*one->second);
        if (file.empty()) continue;
        for (auto other = files.begin(); other != one; ++other) {
            std::error_code none;    // files that do not exist are not equivalent
            if (fileBehind(*other->second) != file && !std::filesystem::equivalent(*one->second, *other->second, none)) continue;
            throw UsageError(
                fmt::format("{} and {} name one file, \"{}\": each needs a file of its own", other->first, one->first, *one->second));
        }
    }
}

/// The name of the running program's file.
std::string programName(int argc, char** argv) {
    return argc > 0 && argv[0] != nullptr ? std::filesystem::path(argv[0]).filename().string() : std::string();
}

}    // namespace

Options takeOptions(int& argc, char** argv) {
    Options options;
    options.journal.program = programName(argc, argv);
    CLI::App parser("options of Ferry");
    parser.set_help_flag();
    parser.add_option("--ferry-slaves", options.slaveCount, "number of slaves, where ranks are threads")
        ->check(slaveCountValidator())
        ->type_name("COUNT");
    parser
        .add_option("--ferry-group-size", options.groupSize,
                    "number of slaves of each sub-master; 0: no sub-masters; default: none for less than 1024 slaves")
        ->check(groupSizeValidator())
        ->type_name("COUNT");
    parser.add_option("--ferry-log", options.logLevel, "least important kind of lines that are logged")
        ->check(logLevelValidator())
        ->type_name("LEVEL");
    addSeconds(parser, "--ferry-grace", options.shutdown.grace, leastGraceSeconds, mostSeconds,
               "seconds that a rank has to end after the job was stopped");
    addSeconds(parser, "--ferry-team-grace", options.shutdown.teamGrace, leastGraceSeconds, mostSeconds,
               "seconds that a slave has to leave a team that has lost another slave");
    parser
        .add_option_function<int>(
            "--ferry-heartbeat", [&options](int milliseconds) { options.watch.heartbeat = std::chrono::milliseconds(milliseconds); },
            "milliseconds between two signs of life of a slave; 0: none")
        ->check(heartbeatValidator())
        ->type_name("MILLISECONDS");
    addFile(parser, "--ferry-report", options.shutdown.reportPath, "file for the report how the job has ended, as JSON");
    addFile(parser, "--ferry-journal", options.journal.path, "file that keeps finished tasks for the next run");
    addSeconds(parser, "--ferry-journal-flush", options.journal.flushInterval, 0, mostSeconds,
               "seconds until a finished task is on the disk; 0: before its reply is used");
    parser.add_flag(std::string(quietOption), options.monitor.isQuiet, "no progress, and no table at the end");
    addFile(parser, "--ferry-statistics", options.monitor.statisticsPath, "file for the numbers of tasks and times of each slave, as JSON");
    addFile(parser, "--ferry-trace", options.monitor.tracePath, "file for the trace: the times of tasks and waits on each rank");
    parser.add_option("--ferry-job", options.journal.job, "name of the job in its journal")->type_name("NAME");
    parser
        .add_option_function<std::int64_t>(
            "--ferry-keep-memory",
            [&options](std::int64_t mebibytes) { options.keeping.memoryBytes = static_cast<std::size_t>(mebibytes) << 20; },
            "mebibytes of results that stay in the memory of a slave; results beyond are moved to files")
        ->check(mebibytesValidator())
        ->type_name("MEBIBYTES");
    try {
        parser.parse(takeOwnArguments(argc, argv));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    requireDifferentFiles(options);
    return options;
}

}    // namespace ferry::detail
