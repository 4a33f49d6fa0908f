#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ferry/ferry.hpp>
#include <ferry/version.hpp>

#include <ferry/apps/timetabling/Convert.hpp>
#include <ferry/apps/timetabling/PublishedCommandLine.hpp>
#include <ferry/apps/timetabling/TermOptions.hpp>
#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/enrolment/io/Generator.hpp>
#include <ferry/apps/timetabling/enrolment/io/InstanceWriter.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/OutputFile.hpp>
#include <ferry/apps/timetabling/io/closestName.hpp>
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
    std::string weightsFile;    ///< empty: not given
    bool explains = false;
    std::string htmlPath;    ///< empty: not wanted
    Term term;               ///< the dates of the pages; without a first day, they are not known
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
                                                            : "expected seconds from 0.1 to 10000000, " + foundInWords(text);
    };
    return CLI::Validator(check, "SECONDS");
}

CLI::Validator anySeed() { return wholeNumber(0, std::numeric_limits<std::int64_t>::max()); }

/// Adds --formulation and --weights.
void addFormulation(CLI::App& command, curriculum::Formulation& formulation, std::string& weightsFile) {
    const auto take = [&formulation](const std::string& name) {
        const auto found = curriculum::formulationOf(name);
        if (!found) throw CLI::ValidationError("--formulation", "expected UD1 to UD5, " + foundInWords(name));
        formulation = *found;
    };
    CLI::Option* option = command.add_option_function<std::string>(
        "--formulation", take, "Which soft constraints count in a curriculum-based problem: UD1 to UD5 [UD2]");
    command
        .add_option("--weights", weightsFile,
                    "A table of own weights instead: constraint, weight (a number, or 'hard' for RoomCapacity and RoomSuitability)")
        ->excludes(option);
}

/// Adds the options that 'solve' and 'repair' have in common.
void addSearch(CLI::App* command, SolveOptions& options) {
    EvolutionOptions& evolution = options.evolution;
    addFormulation(*command, options.formulation, options.weightsFile);
    CLI::Option* time =
        command->add_option("--time", evolution.seconds, "How long to search")->check(secondsValidator())->capture_default_str();
    command
        ->add_option("--iterations", evolution.iterations,
                     "How many timetables to build or improve, instead of --time; makes the run repeatable")
        ->check(wholeNumber(1, 1'000'000'000))
        ->excludes(time);
    command->add_option("--seed", evolution.seed, "The seed of the random numbers")->check(anySeed())->capture_default_str();
    command->add_option("--population", options.populationSize, "How many timetables to keep [4, or one for each slave with a .tim]")
        ->check(wholeNumber(1, 10'000));
    command->add_flag("--anyway", options.anyway,
                      "Where no timetable has all lectures, write one that leaves out as few as possible, and say why each is left out");
    CLI::Option* out = command->add_option("--out", options.solutionFile, "Where to write the timetable in the format of the competition");
    command
        ->add_flag("--resume", options.resumes,
                   "Go on where the same command was cut off: from the timetable of --out, with the time that is left")
        ->needs(out)
        ->excludes(command->get_option("--iterations"));
    CLI::Option* pages = command->add_option("--html", options.htmlPath,
                                             "Where to write the timetable as a page (a name that ends in .html) or as a folder of pages");
    command->add_option("--json", options.jsonFile, "Where to write the timetable as JSON");
    command->add_option("--csv", options.csvFile, "Where to write the timetable as a table");
    CLI::Option* calendars = command->add_option("--ics", options.calendarFolder,
                                                 "A folder for calendars of rooms, teachers and curricula; needs --first-day, and takes:");
    CLI::Option* served =
        command
            ->add_option(
                "--serve", options.port,
                "Show the timetable and the search on this port of 127.0.0.1, and answer what other places cost; the page stays after the "
                "search until it ends the program; 0: any free port")
            ->check(wholeNumber(0, 65535));
    addTimes(*command, *calendars, addDates(*command, {calendars, pages, served}, options.term), options.term);
}

void addSolve(CLI::App& commandLine, SolveOptions& options) {
    CLI::App* command = commandLine.add_subcommand("solve", "Make a timetable");
    command->add_option("instance", options.instance, "The instance: .ctt, .ectt, .tim, .xml (ITC-2019), or a folder of tables")
        ->required();
    command->add_option("--target", options.evolution.targetCost, "End as soon as a feasible timetable costs this or less")
        ->check(wholeNumber(0, 1'000'000'000'000))
        ->capture_default_str();
    addPublished(*command, options.published);
    addSearch(command, options);
}

void addRepair(CLI::App& commandLine, SolveOptions& options) {
    CLI::App* command = commandLine.add_subcommand(
        "repair",
        "Change a published timetable as little as possible after its instance has changed, and say whether fewer moves are possible");
    options.repair.emplace();
    command->add_option("published", options.published.startFile, "The published timetable, as --out, --csv or --json has written it")
        ->required();
    command->add_option("--instance", options.instance, "The changed instance: .ctt, .ectt, .tim, or a folder of tables")->required();
    command
        ->add_option("--at-most", options.repair->mostMoved,
                     "The cheapest timetable with at most this number of moves, instead of the fewest moves")
        ->check(wholeNumber(0, curriculum::limits::LectureCount));
    command->add_option("--front", options.repair->frontFile,
                        "Where to write the least cost for each number of moves: a table, or JSON for a name that ends in .json");
    addSearch(command, options);
    for (const char* wide : {"--at-most", "--front"}) command->get_option("--anyway")->excludes(command->get_option(wide));
}

void addScore(CLI::App& commandLine, ScoreOptions& options) {
    CLI::App* command = commandLine.add_subcommand("score", "Score a timetable: exit status 0 when it is feasible, 1 when not");
    command->add_option("instance", options.instance, "The instance: .ctt, .ectt, .tim, .xml (ITC-2019), or a folder of tables")
        ->required();
    command->add_option("solution", options.solution, "The timetable: the format of the competition, or what --csv or --json has written")
        ->required();
    addFormulation(*command, options.formulation, options.weightsFile);
    command->add_flag("--explain", options.explains, "Print each violation and each cost on a line");
}

void addExplain(CLI::App& commandLine, ScoreOptions& options) {
    CLI::App* command =
        commandLine.add_subcommand("explain", "Print what is wrong with a timetable, whom each fault concerns, and its cost");
    command->add_option("instance", options.instance, "The instance: .ctt, .ectt, .tim, .xml (ITC-2019), or a folder of tables")
        ->required();
    command->add_option("solution", options.solution, "The timetable: the format of the competition, or what --csv or --json has written")
        ->required();
    addFormulation(*command, options.formulation, options.weightsFile);
    CLI::Option* pages = command->add_option("--html", options.htmlPath,
                                             "Where to write the timetable as a page (a name that ends in .html) or as a folder of pages");
    addDates(*command, {pages}, options.term);
}

void addCheck(CLI::App& commandLine, ScoreOptions& options) {
    CLI::App* command =
        commandLine.add_subcommand("check", "Print everything that is wrong with an instance, each with file, line and cure");
    command->add_option("instance", options.instance, "The instance: .ctt, .ectt, .tim, .xml (ITC-2019), or a folder of tables")
        ->required();
    addFormulation(*command, options.formulation, options.weightsFile);
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

/// Reads the instance, and prints on stderr what the user should know of it.
AnyInstance read(const std::string& path, curriculum::Formulation formulation, const std::string& weightsFile) {
    AnyInstance instance = readAnyInstance(path, formulation, ownWeights(weightsFile));
    tellNotes(instance);
    return instance;
}

int score(const ScoreOptions& options) {
    const Examination result = makePresenter(read(options.instance, options.formulation, options.weightsFile))->examine(options.solution);
    if (options.explains) {
        for (const Finding& finding : result.findings) printResult(printable(finding.text, 1000) + "\n");
    }
    printResult(result.score);
    return result.isFeasible ? 0 : Infeasible;
}

int explain(const ScoreOptions& options) {
    AnyInstance instance = read(options.instance, options.formulation, options.weightsFile);
    if (!options.htmlPath.empty()) requireNone(instance, {"--html"});
    const std::unique_ptr<Presenter> presenter = makePresenter(std::move(instance));
    TimetableView view = presenter->view(options.solution);
    setDates(view, options.term);
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

void addDisrupt(CLI::App& commandLine, DisruptOptions& options) {
    CLI::App* command = commandLine.add_subcommand("disrupt", "Change an instance at random places, for the benchmark of 'repair'");
    command->add_option("instance", options.from, "A curriculum-based instance: .ctt, .ectt, or a folder of tables")->required();
    command
        ->add_option_function<std::string>(
            "--kind",
            [&options](const std::string& name) {
                try {
                    options.disruption.kind = curriculum::disruptionOf(name);
                } catch (const std::invalid_argument& error) {
                    throw CLI::ValidationError(error.what());
                }
            },
            "What happens: lecture (its period is closed to it), period (closed to all), room (gone), largest-room, room-day (closed), "
            "teacher-day (away), curriculum (a course joins one)")
        ->required();
    command->add_option("--count", options.disruption.count, "How often it happens")->check(wholeNumber(1, 10'000))->capture_default_str();
    command->add_option("--seed", options.disruption.seed, "The seed of the random numbers")->check(anySeed())->capture_default_str();
    command->add_option("--published", options.published, "The published timetable; --kind lecture needs it");
    command->add_option("--out", options.to, "Where to write the changed instance: .ctt, .ectt, or a folder of tables")->required();
}

/// Prints each line of the error.
void tellErrors(const InputError& error) {
    std::string_view rest = error.what();
    std::string text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        text += fmt::format("timetabling: {}\n", rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    tell(text);
}

/// Checks an instance: reads it, prints what it holds and all notes, and looks for a cheap proof that it has no timetable.
int check(const ScoreOptions& options) {
    const AnyInstance instance = readAnyInstance(options.instance, options.formulation, ownWeights(options.weightsFile));
    printResult(makePresenter(instance)->problemLine() + "\n");
    for (const std::string& note : notesOf(instance)) printResult(fmt::format("note: {}\n", printable(note, 1000)));
    const std::optional<Infeasibility> proof = makeSearchProblem(instance)->findInfeasibility();
    if (!proof) {
        printResult("no errors\n");
        return 0;
    }
    printResult(fmt::format("no feasible timetable exists: {}\n", printable(proof->reason, 1000)));
    for (const std::string& demand : proof->demands) printResult(fmt::format("  {}\n", printable(demand, 1000)));
    return Infeasible;
}

/// Runs a part that reads the user's input. Each input error becomes a line on stderr, and the exit status.
int reportBadInput(const std::function<int()>& part) {
    try {
        return part();
    } catch (const InputError& error) {
        tellErrors(error);
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

/// Returns the error of a command that does not exist, or is missing; nothing when there is a command.
std::string wrongCommand(const CLI::App& commandLine, int argc, char** argv) {
    std::vector<std::string> commands;
    for (const CLI::App* command : commandLine.get_subcommands(nullptr)) commands.push_back(command->get_name());
    const auto isWord = [](const char* argument) { return argument[0] != '-'; };
    char** const end = argv + argc;
    char** const found = std::find_if(argv + std::min(argc, 1), end, isWord);
    const std::string command = found == end ? "" : *found;
    if (std::find(commands.begin(), commands.end(), command) != commands.end()) return {};
    return fmt::format("expected a subcommand ({}), {}{}", fmt::join(commands, ", "), foundInWords(command),
                       meantInstead(command, commands));
}

/// Returns the error of an option with an empty value, as a script gives where a variable is not set; nothing when there is none. Without
/// the error the program would write no file, and say nothing.
std::string emptyValue(const CLI::App& commandLine) {
    for (const CLI::App* command : commandLine.get_subcommands()) {
        for (const CLI::Option* option : command->get_options()) {
            const std::vector<std::string>& given = option->results();
            if (std::find(given.begin(), given.end(), "") != given.end())
                return fmt::format("{}: expected a value, found an empty text", option->get_name());
        }
    }
    return {};
}

/// Returns what a wrong option may have meant: "; did you mean '--time'?", or nothing.
std::string meantBy(const CLI::App& commandLine, int argc, char** argv) {
    std::vector<std::string> commands;
    for (const CLI::App* command : commandLine.get_subcommands(nullptr)) commands.push_back(command->get_name());
    const CLI::App* chosen = nullptr;
    for (int i = 1; i < argc; ++i) {
        const std::string argument(argv[i]);
        if (chosen == nullptr && !argument.starts_with('-')) {
            if (std::find(commands.begin(), commands.end(), argument) == commands.end()) return meantInstead(argument, commands);
            chosen = commandLine.get_subcommand(argument);
        } else if (chosen != nullptr && argument.starts_with("--")) {
            std::vector<std::string> names;
            for (const CLI::Option* option : chosen->get_options()) {
                for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
            }
            const std::string name = argument.substr(0, argument.find('='));
            if (std::find(names.begin(), names.end(), name) != names.end()) continue;
            for (const std::string& command : commands) {
                if (commandLine.get_subcommand(command)->get_option_no_throw(name) != nullptr)
                    return fmt::format("; '{}' is an option of '{}'", name, command);
            }
            return meantInstead(name, names);
        }
    }
    return {};
}

int run(int argc, char** argv) {
    ferry::Application application(argc, argv);
    CLI::App commandLine("Makes university timetables with all cores of a machine or a cluster.", "timetabling");
    commandLine.require_subcommand(1);
    commandLine.set_version_flag("--version", "timetabling, Ferry " + std::string(ferry::version()));
    SolveOptions solveOptions;
    ScoreOptions scoreOptions;
    GenerateOptions generateOptions;
    ConvertOptions convertOptions;
    addSolve(commandLine, solveOptions);
    DisruptOptions disruptOptions;
    addDisrupt(commandLine, disruptOptions);
    SolveOptions repairOptions;
    addRepair(commandLine, repairOptions);
    addScore(commandLine, scoreOptions);
    addGenerate(commandLine, generateOptions);
    addConvert(commandLine, convertOptions);
    ScoreOptions explainOptions;
    addExplain(commandLine, explainOptions);
    ScoreOptions checkOptions;
    addCheck(commandLine, checkOptions);
    try {
        commandLine.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const bool isHelp = error.get_exit_code() == 0;
        if (application.connector().isMaster() && isHelp) commandLine.exit(error);
        if (application.connector().isMaster() && !isHelp) {
            const std::string wrong = wrongCommand(commandLine, argc, argv);
            tell(
                fmt::format("timetabling: {}\n", wrong.empty() ? printable(error.what(), 1000) + meantBy(commandLine, argc, argv) : wrong));
        }
        return isHelp ? 0 : BadInput;
    }
    if (const std::string wrong = emptyValue(commandLine); !wrong.empty()) {
        if (application.connector().isMaster()) tell(fmt::format("timetabling: {}\n", wrong));
        return BadInput;
    }
    if (commandLine.got_subcommand("score")) return runOnMaster(application, [&] { return score(scoreOptions); });
    if (commandLine.got_subcommand("check")) return runOnMaster(application, [&] { return check(checkOptions); });
    if (commandLine.got_subcommand("disrupt")) return runOnMaster(application, [&] { return disruptInstance(disruptOptions); });
    if (commandLine.got_subcommand("generate")) return runOnMaster(application, [&] { return generate(generateOptions); });
    if (commandLine.got_subcommand("explain")) return runOnMaster(application, [&] { return explain(explainOptions); });
    if (commandLine.got_subcommand("convert")) {
        return runOnMaster(application, [&] {
            convertInstance(convertOptions.from, convertOptions.to);
            return 0;
        });
    }
    return runSolve(application, commandLine.got_subcommand("repair") ? repairOptions : solveOptions);
}

}    // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);    // a file over the size limit then gives an error with a text; the signal would end the program
    return run(argc, argv);
}
