#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/io/Generator.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/model/Score.hpp>
#include <ferry/apps/timetabling/parallel/Improver.hpp>
#include <ferry/apps/timetabling/parallel/Solve.hpp>
#include <ferry/apps/timetabling/report/TextReport.hpp>

namespace {

using namespace timetabling;

constexpr int Infeasible = 1;
constexpr int BadInput = 2;

struct ScoreOptions {
    std::string instance;
    std::string solution;
    bool explains = false;
};

struct GenerateOptions {
    GeneratorOptions generator;
    std::string outFile;
};

/// Accepts a number of seconds that can be waited for; "nan" and "inf" are no such numbers.
CLI::Validator secondsValidator() {
    const auto check = [](const std::string& text) {
        double seconds = 0;
        const bool isNumber = CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds);
        return isNumber && seconds >= 0.1 && seconds <= 1e7 ? std::string()
                                                            : "expected seconds from 0.1 to 10000000, found " + printable(text);
    };
    return CLI::Validator(check, "SECONDS");
}

void addSolve(CLI::App& commandLine, SolveOptions& options) {
    CLI::App* command = commandLine.add_subcommand("solve", "Make a timetable");
    EvolutionOptions& evolution = options.evolution;
    command->add_option("instance", options.instance, "The instance, .ctt or .ectt")->required();
    CLI::Option* time =
        command->add_option("--time", evolution.seconds, "How long to search")->check(secondsValidator())->capture_default_str();
    command->add_option("--iterations", evolution.iterations, "How many timetables to build or improve instead; makes the run repeatable")
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
        ->excludes(time);
    command->add_option("--seed", evolution.seed, "Where the random numbers start")->capture_default_str();
    command->add_option("--population", evolution.populationSize, "How many timetables to keep")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    command->add_option("--out", options.solutionFile, "Where to write the timetable: course room day period");
    command->add_option("--html", options.htmlFile, "Where to write it as a page");
    command->add_option("--json", options.jsonFile, "Where to write it as JSON");
}

void addScore(CLI::App& commandLine, ScoreOptions& options) {
    CLI::App* command = commandLine.add_subcommand("score", "Score a timetable: exit status 0 when it is feasible, 1 when not");
    command->add_option("instance", options.instance, "The instance, .ctt or .ectt")->required();
    command->add_option("solution", options.solution, "The timetable: lines of course room day period")->required();
    command->add_flag("--explain", options.explains, "Say what is wrong, one line each");
}

void addGenerate(CLI::App& commandLine, GenerateOptions& options) {
    CLI::App* command = commandLine.add_subcommand("generate", "Make up an instance that has a feasible timetable");
    GeneratorOptions& generator = options.generator;
    command->add_option("--courses", generator.courseCount)->capture_default_str();
    command->add_option("--rooms", generator.roomCount)->capture_default_str();
    command->add_option("--days", generator.dayCount)->capture_default_str();
    command->add_option("--periods", generator.periodsPerDay, "Periods per day")->capture_default_str();
    command->add_option("--curricula", generator.curriculumCount)->capture_default_str();
    command->add_option("--seed", generator.seed)->capture_default_str();
    command->add_option("--out", options.outFile, "Where to write it; stdout when not given");
}

int score(const ScoreOptions& options) {
    const Problem problem(readInstance(options.instance));
    const std::vector<Violation> violations = findViolations(problem, readSolution(options.solution, problem));
    const Score result = scoreOf(violations);
    if (options.explains) {
        for (const Violation& violation : violations) fmt::print("{}\n", printable(describe(problem, violation), 1000));
    }
    fmt::print("{}{}\n", describeScore(result), summarize(result));
    return result.isFeasible() ? 0 : Infeasible;
}

int generate(const GenerateOptions& options) {
    const std::string text = writeInstance(generateInstance(options.generator));
    if (options.outFile.empty()) {
        fmt::print("{}", text);
    } else {
        OutputFile(options.outFile).write(text);
    }
    return 0;
}

/// Runs a part that reads what the user gave; what is wrong with that becomes one line and the exit status.
int reportBadInput(const std::function<int()>& part) {
    try {
        return part();
    } catch (const InputError& error) {
        fmt::print(stderr, "timetabling: {}\n", error.what());
    } catch (const std::invalid_argument& error) {
        fmt::print(stderr, "timetabling: {}\n", printable(error.what()));
    }
    return BadInput;
}

/// Does the work on rank 0 alone; every rank exits with its status.
int runOnMaster(ferry::Application& application, const std::function<int()>& part) {
    return application.run([&](ferry::Master&) { return reportBadInput(part); });
}

int runSolve(ferry::Application& application, const SolveOptions& options) {
    Improver::serveIn(application.slave());
    return application.run([&](ferry::Master& master) { return reportBadInput([&] { return Solve(options).run(master); }); });
}

int run(int argc, char** argv) {
    ferry::Application application(argc, argv);
    CLI::App commandLine("Makes university timetables with all cores of a machine or a cluster.", "timetabling");
    commandLine.require_subcommand(1);
    SolveOptions solveOptions;
    ScoreOptions scoreOptions;
    GenerateOptions generateOptions;
    addSolve(commandLine, solveOptions);
    addScore(commandLine, scoreOptions);
    addGenerate(commandLine, generateOptions);
    try {
        commandLine.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool isHelp = error.get_exit_code() == 0;
        if (application.connector().isMaster() && isHelp) commandLine.exit(error);
        if (application.connector().isMaster() && !isHelp) fmt::print(stderr, "timetabling: {}\n", printable(error.what(), 1000));
        return isHelp ? 0 : BadInput;
    }
    if (commandLine.got_subcommand("score")) return runOnMaster(application, [&] { return score(scoreOptions); });
    if (commandLine.got_subcommand("generate")) return runOnMaster(application, [&] { return generate(generateOptions); });
    return runSolve(application, solveOptions);
}

}    // namespace

int main(int argc, char** argv) { return run(argc, argv); }
