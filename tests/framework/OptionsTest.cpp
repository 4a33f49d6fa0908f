#include <ferry/framework/Options.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <locale>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

using namespace ferry;
using ferry::test::TemporaryFolder;

namespace {

struct CommandLine {
    explicit CommandLine(std::vector<std::string> words) : arguments(std::move(words)) {
        for (std::string& argument : arguments) pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        argc = static_cast<int>(arguments.size());
    }

    std::vector<std::string> left() const { return {pointers.begin(), pointers.begin() + argc}; }

    std::vector<std::string> arguments;
    std::vector<char*> pointers;
    int argc = 0;
};

}    // namespace

TEST_CASE("Options: Ferry's own are taken out of the command line, in both spellings; the others stay in order") {
    CommandLine line({"prog", "solve", "--ferry-slaves", "3", "file", "--ferry-log=debug", "-x", "--time", "5"});
    const detail::Options options = detail::takeOptions(line.argc, line.pointers.data());
    CHECK(options.slaveCount == 3);
    CHECK(options.logLevel == "debug");
    CHECK(line.left() == std::vector<std::string>{"prog", "solve", "file", "-x", "--time", "5"});
    CHECK(line.pointers[static_cast<std::size_t>(line.argc)] == nullptr);
}

TEST_CASE("Options: what stands after -- is the program's") {
    CommandLine line({"prog", "--ferry-slaves=2", "--", "--ferry-slaves", "9"});
    CHECK(detail::takeOptions(line.argc, line.pointers.data()).slaveCount == 2);
    CHECK(line.left() == std::vector<std::string>{"prog", "--", "--ferry-slaves", "9"});
}

TEST_CASE("Options: none given, and no arguments at all") {
    CommandLine plain({"prog"});
    const detail::Options options = detail::takeOptions(plain.argc, plain.pointers.data());
    CHECK_FALSE(options.slaveCount.has_value());
    CHECK(options.logLevel == "warn");
    CommandLine empty({});
    static_cast<void>(detail::takeOptions(empty.argc, empty.pointers.data()));
    CHECK(empty.argc == 0);
}

TEST_CASE("Options: the grace time in seconds, and where the report goes") {
    CommandLine plain({"prog"});
    CHECK(detail::takeOptions(plain.argc, plain.pointers.data()).shutdown.grace == std::chrono::seconds(2));
    CHECK(detail::takeOptions(plain.argc, plain.pointers.data()).shutdown.reportPath.empty());
    CommandLine line({"prog", "--ferry-grace", "0.25", "--ferry-report=end of job.json"});
    const detail::Options options = detail::takeOptions(line.argc, line.pointers.data());
    CHECK(options.shutdown.grace == std::chrono::milliseconds(250));
    CHECK(options.shutdown.reportPath == "end of job.json");
    CommandLine power({"prog", "--ferry-grace=25e-2"});
    CHECK(detail::takeOptions(power.argc, power.pointers.data()).shutdown.grace == std::chrono::milliseconds(250));
}

TEST_CASE("Options: seconds have a point, also where the locale of the program has a comma") {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));    // the locale owns it
    CommandLine line({"prog", "--ferry-grace=0.25"});
    CHECK(detail::takeOptions(line.argc, line.pointers.data()).shutdown.grace == std::chrono::milliseconds(250));
    std::locale::global(before);
}

TEST_CASE("Options: the time for the slaves of a team to leave it after a loss") {
    CommandLine plain({"prog"});
    CHECK(detail::takeOptions(plain.argc, plain.pointers.data()).shutdown.teamGrace == std::chrono::seconds(60));
    CommandLine line({"prog", "--ferry-team-grace", "1.5"});
    CHECK(detail::takeOptions(line.argc, line.pointers.data()).shutdown.teamGrace == std::chrono::milliseconds(1500));
}

TEST_CASE("Options: the journal, how often it is flushed, and whose it is") {
    CommandLine plain({"bin/prices"});
    const detail::Options none = detail::takeOptions(plain.argc, plain.pointers.data());
    CHECK(none.journal.path.empty());
    CHECK(none.journal.flushInterval == std::chrono::seconds(1));
    CHECK(none.journal.title() == "prices");
    CommandLine line({"./prices", "--ferry-journal", "a file", "--ferry-journal-flush=0", "--ferry-job", "monday"});
    const detail::Options options = detail::takeOptions(line.argc, line.pointers.data());
    CHECK(options.journal.path == "a file");
    CHECK(options.journal.flushInterval == std::chrono::milliseconds(0));
    CHECK(options.journal.title() == "prices, job monday");
}

TEST_CASE("Options: the options for progress, statistics and trace; --ferry-quiet leaves the next argument alone") {
    CommandLine plain({"p"});
    CHECK_FALSE(detail::takeOptions(plain.argc, plain.pointers.data()).monitor.isQuiet);
    CommandLine line({"p", "--ferry-quiet", "file", "--ferry-statistics", "s.json", "--ferry-trace=t"});
    const detail::Options options = detail::takeOptions(line.argc, line.pointers.data());
    CHECK(options.monitor.isQuiet);
    CHECK(options.monitor.statisticsPath == "s.json");
    CHECK(options.monitor.tracePath == "t");
    CHECK(line.left() == std::vector<std::string>{"p", "file"});
}

TEST_CASE("Options: the message for a wrong value names the option, the value, and what is allowed") {
    const auto messageOf = [](const std::string& argument) {
        CommandLine line({"p", argument});
        try {
            detail::takeOptions(line.argc, line.pointers.data());
        } catch (const UsageError& error) {
            return std::string(error.what());
        }
        return "accepted: " + argument;
    };
    CHECK(messageOf("--ferry-slaves=abc") == "--ferry-slaves: expected a number of slaves from 1 to 4096, found 'abc'");
    CHECK(messageOf("--ferry-slaves=5x") == "--ferry-slaves: expected a number of slaves from 1 to 4096, found '5x'");
    CHECK(messageOf("--ferry-slaves=4097") == "--ferry-slaves: expected a number of slaves from 1 to 4096, found '4097'");
    CHECK(messageOf("--ferry-slaves=99999999999999") ==
          "--ferry-slaves: expected a number of slaves from 1 to 4096, found '99999999999999'");
    for (const char* wrong : {"1", "-2", "4097", "many"}) {
        CAPTURE(wrong);
        CHECK(messageOf(std::string("--ferry-group-size=") + wrong) ==
              std::string("--ferry-group-size: expected 0, or a number of slaves from 2 to 4096, found '") + wrong + "'");
    }
    for (const char* wrong : {"-1", "1073741825", "2.5", "many"}) {
        CAPTURE(wrong);
        CHECK(messageOf(std::string("--ferry-keep-memory=") + wrong) ==
              std::string("--ferry-keep-memory: expected a number of mebibytes from 0 to 1073741824, found '") + wrong + "'");
    }
    CHECK(messageOf("--ferry-log=loud") == "--ferry-log: expected one of trace, debug, info, warn, error, off, found 'loud'");
    for (const char* wrong : {"-1", "0", "0.05", "1e6", "nan", "inf", "2s", "two", " 1", "+1", "0x1", "1e", "1,5"}) {
        CAPTURE(wrong);
        CHECK(messageOf(std::string("--ferry-grace=") + wrong) ==
              std::string("--ferry-grace: expected seconds from 0.1 to 86400, found '") + wrong + "'");
    }
    CHECK(messageOf("--ferry-journal-flush=-1") == "--ferry-journal-flush: expected seconds from 0 to 86400, found '-1'");
    CHECK(messageOf("--ferry-log=" + std::string(500, 'x')).size() < 200);
}

TEST_CASE("Options: an empty name of a file is refused, since it would be no file at all") {
    for (const char* option : {"--ferry-report", "--ferry-journal", "--ferry-statistics", "--ferry-trace"}) {
        CAPTURE(option);
        CommandLine line({"p", option, ""});
        try {
            detail::takeOptions(line.argc, line.pointers.data());
            FAIL_CHECK("accepted");
        } catch (const UsageError& error) {
            CHECK(std::string(error.what()) == std::string(option) + ": expected the name of a file, found an empty text");
        }
    }
}

TEST_CASE("Options: two options with one file are refused, since one would take the place of the other") {
    const TemporaryFolder folder;
    const std::string file = (folder / "file").string();
    const std::string link = (folder / "link").string();
    std::filesystem::create_symlink(file, link);
    const std::vector<const char*> options{"--ferry-report", "--ferry-journal", "--ferry-statistics", "--ferry-trace"};
    const auto messageOf = [](const std::vector<std::string>& words) -> std::string {
        CommandLine line(words);
        try {
            detail::takeOptions(line.argc, line.pointers.data());
            return "";
        } catch (const UsageError& error) {
            return error.what();
        }
    };
    const auto refuse = [&](const std::string& one, const std::string& other) {
        for (const char* first : options) {
            for (const char* second : options) {
                if (std::string(first) == second) continue;
                CAPTURE(first);
                CAPTURE(second);
                const std::string message = messageOf({"p", first, one, second, other});
                CHECK(message.find("name one file") != std::string::npos);
                CHECK(message.find(first) != std::string::npos);
                CHECK(message.find(second) != std::string::npos);
            }
        }
    };
    refuse(file, file);
    refuse(file, folder.path().string() + "/./file");
    refuse(file, link);
    std::ofstream(file) << "here";
    const std::string hardLink = (folder / "hardLink").string();
    std::filesystem::create_hard_link(file, hardLink);
    refuse(file, link);
    refuse(hardLink, file);
    CHECK(messageOf({"p", "--ferry-report", file, "--ferry-trace", file + "2"}).empty());
    CHECK(messageOf({"p", "--ferry-report", "/dev/null", "--ferry-trace", "/dev/null"}).empty());
}

TEST_CASE("Options: a wrong value, a missing one and an unknown option are refused by name") {
    const std::vector<std::vector<std::string>> wrong = {
        {"p", "--ferry-slaves", "0"},    {"p", "--ferry-slaves", "-3"}, {"p", "--ferry-slaves", "two"}, {"p", "--ferry-slaves"},
        {"p", "--ferry-slaves=9999999"}, {"p", "--ferry-log", "loud"},  {"p", "--ferry-speed", "9"},
    };
    for (const auto& words : wrong) {
        CommandLine line(words);
        try {
            detail::takeOptions(line.argc, line.pointers.data());
            FAIL_CHECK("accepted: ", words[1]);
        } catch (const UsageError& error) {
            CHECK(std::string(error.what()).find(words[1].substr(0, words[1].find('='))) != std::string::npos);
        }
    }
}
