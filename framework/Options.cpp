#include <ferry/framework/Options.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

namespace {

constexpr std::string_view ownPrefix = "--ferry-";
constexpr int maxSlaves = 4096;

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

}    // namespace

Options takeOptions(int& argc, char** argv) {
    Options options;
    CLI::App parser("options of Ferry");
    parser.set_help_flag();
    parser.add_option("--ferry-slaves", options.slaveCount, "number of slaves, when they are threads")->check(CLI::Range(1, maxSlaves));
    parser.add_option("--ferry-log", options.logLevel, "lines to log")
        ->check(CLI::IsMember({"trace", "debug", "info", "warn", "error", "off"}));
    try {
        parser.parse(takeOwnArguments(argc, argv));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    return options;
}

}    // namespace ferry
