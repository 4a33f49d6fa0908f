#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/Convert.hpp>
#include <ferry/apps/timetabling/PublishedCommandLine.hpp>
#include <ferry/apps/timetabling/TermOptions.hpp>
#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/enrolment/io/Generator.hpp>
#include <ferry/apps/timetabling/enrolment/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/parallel/Improver.hpp>
#include <ferry/apps/timetabling/parallel/Solve.hpp>
#include <ferry/apps/timetabling/problem/AnyProblem.hpp>
#include <ferry/apps/timetabling/report/HtmlTarget.hpp>
#include <ferry/apps/timetabling/report/explainFindings.hpp>
#include <ferry/apps/timetabling/wholeNumber.hpp>

namespace {

using namespace timetabling;

constexpr int Infeasible = 1;
constexpr int BadInput = 2;

struct ScoreOptions {
    std::string instance;
    std::string solution;
    curriculum::Formulation formulation = curriculum::Formulation::UD2;
    bool explains = false;
    std::string htmlPath;    ///< empty: not wanted
};

struct ConvertOptions {
    std::string from;
    std::string to;
};

struct GenerateOptions {
    curriculum::GeneratorOptions curriculum;
    enrolment::GeneratorOptions enrolment;
    std::uint64_t seed = 1;
    bool isEnrolment = false;
    bool hasFirstRules = false;
    std::string outFile;
};

/// Accepts a number of seconds that a timer can wait for. Refuses "nan" and "inf".
CLI::Validator secondsValidator() {
    const auto check = [](const std::string& text) {
        double seconds = 0;
        const bool isNumber = CLI::detail::lexical_cast(text, seconds) && std::isfinite(seconds);
        return isNumber && seconds >= 0.1 && seconds <= 1e7 ? std::string()
                                                            : "expected seconds from 0.1 to 10000000, found " + printable(text);
    };
    return CLI::Validator(check, "SECONDS");
}

CLI::Validator anySeed() { return wholeNumber(0, std::numeric_limits<std::int64_t>::max()); }

void addFormulation(CLI::App& command, curriculum::Formulation& formulation) {
    const auto take = [&formulation](const std::string& name) {
        const auto found = curriculum::formulationOf(name);
        if (!found) throw CLI::ValidationError("--formulation", "expected UD1 to UD5, found " + printable(name));
        formulation = *found;
    };
    command.add_option_function<std::string>("--formulation", take,
                                             "Which soft constraints count in a curriculum-based problem: UD1 to UD5 [UD2]");
}

void addSolve(CLI::App& commandLine, SolveOptions& options) {
    CLI::App* command = commandLine.add_subcommand("solve", "Make a timetable");
    EvolutionOptions& evolution = options.evolution;
    command->add_option("instance", options.instance, "The instance: .ctt, .ectt, .tim, or a folder of tables")->required();
    addFormulation(*command, options.formulation);
    CLI::Option* time =
        command->add_option("--time", evolution.seconds, "How long to search")->check(secondsValidator())->capture_default_str();
    command
        ->add_option("--iterations", evolution.iterations,
                     "How many timetables to build or improve, instead of --time; makes the run repeatable")
        ->check(wholeNumber(1, 1'000'000'000))
        ->excludes(time);
    command->add_option("--target", evolution.targetCost, "End as soon as a feasible timetable costs this or less")
        ->check(wholeNumber(0, 1'000'000'000'000))
        ->capture_default_str();
    command->add_option("--seed", evolution.seed, "The seed of the random numbers")->check(anySeed())->capture_default_str();
    command->add_option("--population", options.populationSize, "How many timetables to keep [4, or one for each slave with a .tim]")
        ->check(wholeNumber(1, 10'000));
    addPublished(*command, options.published);
    command->add_option("--out", options.solutionFile, "Where to write the timetable in the format of the competition");
    command->add_option("--html", options.htmlPath,
                        "Where to write the timetable as a page (a name that ends in .html) or as a folder of pages");
    command->add_option("--json", options.jsonFile, "Where to write the timetable as JSON");
    command->add_option("--csv", options.csvFile, "Where to write the timetable as a table");
    CLI::Option* calendars = command->add_option("--ics", options.calendarFolder,
                                                 "A folder for calendars of rooms, teachers and curricula; needs --first-day, and takes:");
    addTerm(*command, *calendars, options.term);
    command->add_option("--serve", options.port, "Show the progress of the search on this port of 127.0.0.1; 0: any free port")
        ->check(wholeNumber(0, 65535));
}

void addScore(CLI::App& commandLine, ScoreOptions& options) {
    CLI::App* command = commandLine.add_subcommand("score", "Score a timetable: exit status 0 when it is feasible, 1 when not");
    command->add_option("instance", options.instance, "The instance: .ctt, .ectt, .tim, or a folder of tables")->required();
    command->add_option("solution", options.solution, "The timetable in the format of the competition")->required();
    addFormulation(*command, options.formulation);
    command->add_flag("--explain", options.explains, "Print each violation and each cost on a line");
}

void addExplain(CLI::App& commandLine, ScoreOptions& options) {
    CLI::App* command =
        commandLine.add_subcommand("explain", "Print what is wrong with a timetable, whom each fault concerns, and its cost");
    command->add_option("instance", options.instance, "The instance: .ctt, .ectt, .tim, or a folder of tables")->required();
    command->add_option("solution", options.solution, "The timetable in the format of the competition")->required();
    addFormulation(*command, options.formulation);
    command->add_option("--html", options.htmlPath,
                        "Where to write the timetable as a page (a name that ends in .html) or as a folder of pages");
}

void addGenerate(CLI::App& commandLine, GenerateOptions& options) {
    CLI::App* command = commandLine.add_subcommand("generate", "Make up an instance that has a feasible timetable");
    curriculum::GeneratorOptions& curriculum = options.curriculum;
    CLI::Option* kind = command->add_flag("--enrolment", options.isEnrolment, "A post-enrolment instance (.tim); takes --rooms and:");
    CLI::Option* rooms = command->add_option("--rooms", curriculum.roomCount)->capture_default_str();
    command->add_option("--courses", curriculum.courseCount)->capture_default_str()->excludes(kind);
    command->add_option("--days", curriculum.dayCount)->capture_default_str()->excludes(kind);
    command->add_option("--periods", curriculum.periodsPerDay, "Periods per day")->capture_default_str()->excludes(kind);
    command->add_option("--curricula", curriculum.curriculumCount)->capture_default_str()->excludes(kind);
    command->add_option("--seed", options.seed)->check(anySeed())->capture_default_str();
    command->add_option("--out", options.outFile, "Where to write the instance [stdout]");

    enrolment::GeneratorOptions& enrolment = options.enrolment;
    command->add_option("--events", enrolment.eventCount)->capture_default_str()->needs(kind);
    command->add_option("--features", enrolment.featureCount)->capture_default_str()->needs(kind);
    command->add_option("--students", enrolment.studentCount)->capture_default_str()->needs(kind);
    command->add_flag("--first", options.hasFirstRules, "By the rules of ITC-2002: no closed periods, no precedences")->needs(kind);
    command->callback([&options, rooms] {
        if (rooms->count() > 0) options.enrolment.roomCount = options.curriculum.roomCount;
        options.enrolment.hasSecondRules = !options.hasFirstRules;
        options.curriculum.seed = options.enrolment.seed = options.seed;
    });
}

int score(const ScoreOptions& options) {
    const Examination result = makePresenter(readAnyInstance(options.instance, options.formulation))->examine(options.solution);
    if (options.explains) {
        for (const Finding& finding : result.findings) printResult(printable(finding.text, 1000) + "\n");
    }
    printResult(result.score);
    return result.isFeasible ? 0 : Infeasible;
}

int explain(const ScoreOptions& options) {
    const std::unique_ptr<Presenter> presenter = makePresenter(readAnyInstance(options.instance, options.formulation));
    const TimetableView view = presenter->view(options.solution);
    if (!options.htmlPath.empty()) HtmlTarget(options.htmlPath).write(view);
    printResult(presenter->problemLine() + "\n\n" + explainFindings(view.examination));
    return view.examination.isFeasible ? 0 : Infeasible;
}

int generate(const GenerateOptions& options) {
    const std::string text = options.isEnrolment ? enrolment::writeInstance(enrolment::generateInstance(options.enrolment))
                                                 : curriculum::writeInstance(curriculum::generateInstance(options.curriculum));
    if (options.outFile.empty()) {
        printResult(text);
    } else {
        OutputFile(options.outFile).write(text);
    }
    return 0;
}

void addConvert(CLI::App& commandLine, ConvertOptions& options) {
    CLI::App* command = commandLine.add_subcommand("convert", "Write an instance in another format");
    command->add_option("from", options.from, "A curriculum-based instance: .ctt, .ectt, or a folder of tables")->required();
    command->add_option("to", options.to, "Where to write the instance: a name that ends in .ctt or .ectt, else a folder of tables")
        ->required();
}

/// Runs a part that reads the user's input. An input error becomes one line on stderr and the exit status.
int reportBadInput(const std::function<int()>& part) {
    try {
        return part();
    } catch (const InputError& error) {
        tell(fmt::format("timetabling: {}\n", error.what()));
    } catch (const std::invalid_argument& error) {
        tell(fmt::format("timetabling: {}\n", printable(error.what())));
    }
    return BadInput;
}

/// Runs the work on rank 0 alone. Every rank exits with the status of rank 0.
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
    ConvertOptions convertOptions;
    addSolve(commandLine, solveOptions);
    addScore(commandLine, scoreOptions);
    addGenerate(commandLine, generateOptions);
    addConvert(commandLine, convertOptions);
    ScoreOptions explainOptions;
    addExplain(commandLine, explainOptions);
    try {
        commandLine.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool isHelp = error.get_exit_code() == 0;
        if (application.connector().isMaster() && isHelp) commandLine.exit(error);
        if (application.connector().isMaster() && !isHelp) tell(fmt::format("timetabling: {}\n", printable(error.what(), 1000)));
        return isHelp ? 0 : BadInput;
    }
    if (commandLine.got_subcommand("score")) return runOnMaster(application, [&] { return score(scoreOptions); });
    if (commandLine.got_subcommand("generate")) return runOnMaster(application, [&] { return generate(generateOptions); });
    if (commandLine.got_subcommand("explain")) return runOnMaster(application, [&] { return explain(explainOptions); });
    if (commandLine.got_subcommand("convert")) {
        return runOnMaster(application, [&] {
            convertInstance(convertOptions.from, convertOptions.to);
            return 0;
        });
    }
    return runSolve(application, solveOptions);
}

}    // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);    // a file over the size limit then gives an error with a text; the signal would end the program
    return run(argc, argv);
}
