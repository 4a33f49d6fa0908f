#include <ferry/apps/timetabling/parallel/Solve.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <ferry/version.hpp>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/requireDistinctFiles.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/model/lowered.hpp>
#include <ferry/apps/timetabling/parallel/Evolution.hpp>
#include <ferry/apps/timetabling/parallel/ProgressLine.hpp>
#include <ferry/apps/timetabling/parallel/solveAgain.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling {

namespace {

constexpr double patienceBeforeRest = 0.5;    ///< share of the time for a timetable of all lectures, where one of the rest is a result too
constexpr double leastSeconds = 0.5;
constexpr std::uint64_t seedNumberOfRest = 3'000'000;

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Adds members to the begin of a JSON object, whose first line is '{'.
std::string withMembers(std::string document, const std::string& members) {
    constexpr std::string_view begin = "{\n";
    return document.starts_with(begin) ? document.insert(begin.size(), members) : document;
}

/// Says from which program and options a result is.
std::string originMembers(const EvolutionOptions& options) {
    const std::string length =
        options.iterations > 0 ? fmt::format("\"iterations\": {}", options.iterations) : fmt::format("\"seconds\": {}", options.seconds);
    return fmt::format("  \"program\": \"timetabling, Ferry {}\",\n  \"seed\": {},\n  {},\n", ferry::version(), options.seed, length);
}

/// Names the work of a run: its instance, and the published timetable where there is one.
std::string workOf(const SolveOptions& options) {
    const std::string& published = options.published.startFile;
    return published.empty() ? options.instance : fmt::format("{}, published {}", options.instance, published);
}

/// Refuses the name of a workbook for a table, since spreadsheets open no text under that name.
void refuseWorkbook(const char* option, const std::string& path) {
    const std::string ending = lowered(std::filesystem::path(path).extension().string());
    if (ending == ".xlsx" || ending == ".xls" || ending == ".ods")
        throw InputError(option, fmt::format("expected a name that ends in .csv, which spreadsheets open, {}", foundInWords(path)));
}

const SolveOptions& withDistinctFiles(const SolveOptions& options) {
    refuseWorkbook("--csv", options.csvFile);
    if (options.repair) refuseWorkbook("--front", options.repair->frontFile);
    requireDistinctFiles({options.instance, options.published.startFile, options.published.pinFile, options.weightsFile},
                         {{"--out", options.solutionFile},
                          {"--html", options.htmlPath},
                          {"--json", options.jsonFile},
                          {"--csv", options.csvFile},
                          {"--front", options.repair ? options.repair->frontFile : std::string()},
                          {"--ics", options.calendarFolder}});
    return options;
}

/// Returns the options that were given and that an instance of ITC-2019 does not take.
std::vector<std::string> optionsWithoutSectioning(const SolveOptions& options) {
    std::vector<std::string> given;
    if (options.repair) given.emplace_back("repair");
    if (options.anyway) given.emplace_back("--anyway");
    if (!options.htmlPath.empty()) given.emplace_back("--html");
    if (!options.calendarFolder.empty()) given.emplace_back("--ics");
    if (options.port) given.emplace_back("--serve");
    return given;
}

AnyInstance readFor(const SolveOptions& options) {
    AnyInstance instance = readAnyInstance(options.instance, options.formulation, ownWeights(options.weightsFile));
    requireNone(instance, optionsWithoutSectioning(options));
    return instance;
}

}    // namespace

Solve::Solve(const SolveOptions& options)
    : options_(withDistinctFiles(options)),
      instance_(withPublished(readFor(options), options.published)),
      problem_(makeSearchProblem(instance_)),
      presenter_(makePresenter(instance_)),
      solution_(open(options.solutionFile)),
      html_(options.htmlPath.empty() ? nullptr : std::make_unique<HtmlTarget>(options.htmlPath)),
      json_(open(options.jsonFile)),
      csv_(open(options.csvFile)),
      front_(open(options.repair ? options.repair->frontFile : std::string())) {
    tellNotes(instance_);
    options_.term.written = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    if (!options.calendarFolder.empty())
        calendars_ = std::make_unique<CalendarFolder>(options.calendarFolder, options_.term, presenter_->dayCount(),
                                                      presenter_->periodsPerDay(), presenter_->weekNames());
    if (options.resumes) resumption_ = std::make_unique<Resumption>(options.solutionFile, workOf(options));
    if (options.port) live_ = std::make_unique<Live>(*options.port, instance_, *presenter_, options_.term);
}

Solve::Live::Live(std::uint16_t port, const AnyInstance& instance, const Presenter& presenter, const Term& term)
    : state(presenter.problemLine()),
      desk(instance),
      page(state, desk, term),
      server(port, [this](const HttpRequest& request) { return page.answer(request); }) {}

std::unique_ptr<OutputFile> Solve::open(const std::string& path) { return path.empty() ? nullptr : std::make_unique<OutputFile>(path); }

int Solve::run(ferry::Master& master) {
    printResult(fmt::format("{}; {} slaves\n", presenter_->problemLine(), master.slaveCount()));
    if (live_) {
        live_->state.begin(master.slaveCount());
        timetabling::tell(fmt::format("timetabling: http://127.0.0.1:{}/{}/ shows the timetable, and how the search gets on\n",
                                      live_->server.port(), live_->server.token()));
    }
    const int status = runSearch(master);
    return live_ && live_->desk.hasTimetable() ? stay(master, status) : status;
}

/// Keeps the pages until the user ends the program, and does what they order. Errors: ferry::Terminated when the job is stopped.
int Solve::stay(ferry::Master& master, int status) {
    constexpr std::chrono::milliseconds nap{20};
    live_->state.end();
    live_->desk.open();
    timetabling::tell("timetabling: the page stays until it is told to end, or Ctrl-C\n");
    for (;;) {
        master.connector().poll();    // throws when the job is stopped
        const std::optional<DeskOrder> order = live_->desk.takeOrder();
        if (!order) {
            std::this_thread::sleep_for(nap);
            continue;
        }
        if (order->kind == DeskOrder::Kind::End) return status;
        if (order->kind == DeskOrder::Kind::Write) {
            writeAgain(*order);
        } else {
            EvolutionOptions options = options_.evolution;
            options.populationSize = options_.populationSize.value_or(problem_->populationFor(master.slaveCount()));
            solveAgain(master, *order, options, live_->desk, live_->state);
        }
    }
}

/// Writes the results for the timetable of the page. The files keep the last feasible one.
void Solve::writeAgain(const DeskOrder& order) {
    Individual shown;
    shown.slots = order.slots;
    repair_.reset();    // bounds of the first search say nothing about this timetable
    // The pages refer to the presenter, so it stays where it is.
    std::unique_ptr<const Presenter> first = std::exchange(presenter_, makePresenter(order.instance));
    if (order.isWorthKeeping || rest_) {
        writeResults(shown);
    } else {
        timetabling::tell("timetabling: the timetable of the page is not feasible; the files keep the last feasible one\n");
    }
    presenter_ = std::move(first);
}

/// Shows the best timetable of the search in the pages.
void Solve::show(const Individual& best) const {
    if (live_) live_->desk.follow(best.slots);
}

int Solve::runSearch(ferry::Master& master) {
    begin_ = std::chrono::steady_clock::now();
    if (resumption_) options_.evolution.seconds = std::max(leastSeconds, options_.evolution.seconds - resumption_->spentSeconds());
    EvolutionOptions options = options_.evolution;
    if (options_.anyway) options.patience = patienceBeforeRest;
    if (options_.repair) {
        repair_ = std::make_unique<Repair>(*problem_, *options_.repair, options);
        repair_->prove(master, [this] {
            noteTime();
            return live_ && live_->desk.isStopWanted();
        });
        beginWith(instance_, repair_->begin());
        options = repair_->searchOptions();
    }
    try {
        return finish(master, search(master, options));
    } catch (const NoFeasibleTimetable& failure) {
        tell(failure);
        if (!options_.anyway || rest_) return 1;
    }
    if (options_.evolution.iterations == 0) {
        options_.evolution.seconds = std::max(leastSeconds, options_.evolution.seconds - secondsSince(begin_));
    }
    try {
        return runRest(master);
    } catch (const NoFeasibleTimetable& failure) {
        tell(failure);
        return 1;
    }
}

/// Searches the best timetable. Errors: NoFeasibleTimetable; ferry::Terminated, after the results were written.
Individual Solve::search(ferry::Master& master, const EvolutionOptions& wanted) {
    EvolutionOptions options = wanted;
    options.populationSize = options_.populationSize.value_or(problem_->populationFor(master.slaveCount()));
    ProgressLine progress(stderr, options.populationSize);
    Evolution evolution(master, instance_, *problem_, options, progress, live_ ? &live_->state : nullptr);
    evolution.onNewBest([this](const Individual& best) {
        show(best);
        return keep(best);
    });
    if (live_) evolution.onStop([this] { return live_->desk.isStopWanted(); });
    if (resumption_) {
        evolution.onSecond([this](double) { noteTime(); });
        if (auto best = cutOff()) evolution.beginWith(std::move(*best));
    }
    try {
        evolution.run();
    } catch (const NoFeasibleTimetable&) {
        progress.leaveLine();
        throw;
    } catch (const ferry::Terminated&) {
        progress.leaveLine();
        if (repair_ && evolution.best()) repair_->setFewest(*evolution.best());
        if (evolution.best()) writeResults(*evolution.best());
        throw;
    }
    return *evolution.best();
}

/// Notes how long the run has worked, at most once a second.
void Solve::noteTime() {
    const double seconds = secondsSince(begin_);
    if (!resumption_ || seconds < nextNote_) return;
    resumption_->note(seconds);
    nextNote_ = seconds + 1;
}

/// Returns the timetable of a run that was cut off while it sought a timetable of the rest. Empty when there is none that fits.
Slots Solve::restOfEarlierRun() const {
    if (!resumption_ || !resumption_->hasTimetable()) return {};
    try {
        Slots slots = presenter_->slotsOf(resumption_->solutionFile());
        AnyInstance instance = instance_;
        auto* curricula = std::get_if<curriculum::Instance>(&instance);
        if (!curricula || std::find(slots.begin(), slots.end(), -1) == slots.end()) return {};
        curricula->rest = slots;
        makeSearchProblem(instance)->check(slots);
        return slots;
    } catch (const std::invalid_argument&) {
        return {};    // cutOff() tells of a timetable that does not fit
    } catch (const InputError&) {
        return {};
    }
}

/// Returns the timetable of a search that was cut off, and tells how the search goes on. Nothing when there is none that fits.
std::optional<Individual> Solve::cutOff() const {
    if (!resumption_->hasTimetable()) return std::nullopt;
    const std::string left = fmt::format("{:.1f} s are left", options_.evolution.seconds);
    try {
        const Slots slots = presenter_->slotsOf(resumption_->solutionFile());
        // A timetable of the rest waits until it is clear that no timetable has all lectures.
        const bool isOfRest = !problem_->acceptsViolations() && std::find(slots.begin(), slots.end(), -1) != slots.end();
        if (options_.anyway && isOfRest && !rest_) return std::nullopt;
        problem_->check(slots);
        SearchOrder order;
        order.budget = Budget::ofMoves(1);    // a search of one move scores the timetable
        Individual best = problem_->anneal(slots, order, {}).best;
        timetabling::tell(
            fmt::format("timetabling: the search goes on from {}, cost {}; {}\n", printable(resumption_->solutionFile()), best.cost, left));
        return best;
    } catch (const std::invalid_argument& error) {
        timetabling::tell(fmt::format("timetabling: {} is no timetable to go on from ({}); {}\n", printable(resumption_->solutionFile()),
                                      printable(error.what(), 200), left));
    } catch (const InputError& error) {
        timetabling::tell(fmt::format("timetabling: there is no timetable to go on from: {}; {}\n", error.what(), left));
    }
    return std::nullopt;
}

/// Widens the repair, if the run is one, and writes the results. Returns the exit status.
int Solve::finish(ferry::Master& master, const Individual& found) {
    constexpr int badOutput = 2;
    Individual result = found;
    if (repair_) {
        try {
            result = repair_->widen(master, result, [this] { noteTime(); });
        } catch (const ferry::Terminated&) {
            writeResults(result);
            throw;
        }
    }
    show(result);
    if (!writeResults(result)) return badOutput;
    if (resumption_) resumption_->end();
    if (hasSectioning(instance_) && !result.isFeasible()) {
        timetabling::tell(fmt::format("timetabling: {}: no feasible timetable was found; the best one breaks hard constraints: {}\n",
                                      printable(options_.instance), problem_->describeViolations(result.slots)));
        return 1;
    }
    return repair_ && !repair_->isWithin() ? 1 : 0;
}

/// Searches a timetable of the rest and writes it. Returns the exit status.
int Solve::runRest(ferry::Master& master) {
    const auto begin = std::chrono::steady_clock::now();
    EvolutionOptions options = options_.evolution;
    rest_ = std::make_unique<Rest>(std::move(problem_), options);
    repair_.reset();    // the bounds of a repair hold for timetables with all lectures
    Slots known = restOfEarlierRun();
    instance_ = rest_->find(master, std::move(instance_), known);
    problem_ = makeSearchProblem(instance_);
    if (options.iterations == 0) options.seconds = std::max(leastSeconds, options.seconds - secondsSince(begin));
    options.seed = Random::seedOf(options.seed, seedNumberOfRest);
    Individual best = search(master, options);
    best.slots = rest_->completed(best.slots);
    const int status = finish(master, best);
    const bool hasAll = std::find(best.slots.begin(), best.slots.end(), -1) == best.slots.end();
    return status == 0 && !hasAll ? 1 : status;
}

/// Prints the contradicting demands line by line, up to a readable number of lines.
void Solve::tell(const NoFeasibleTimetable& failure) const {
    constexpr std::size_t mostLines = 20;
    std::string text = fmt::format("timetabling: {}: {}\n", printable(options_.instance), printable(failure.what(), 1000));
    if (!failure.demands.empty())
        text += fmt::format("These demands contradict each other{}:\n",
                            failure.isMinimal ? "; without any one of them the proof fails" : " (perhaps fewer of them do)");
    for (std::size_t i = 0; i < failure.demands.size() && i < mostLines; ++i)
        text += fmt::format("  {}\n", printable(failure.demands[i], 1000));
    if (failure.demands.size() > mostLines) text += fmt::format("  and {} more\n", failure.demands.size() - mostLines);
    timetabling::tell(text);
}

/// Writes the best timetable so far, so that it survives when the job is killed.
/// Returns false when the attempt has to be repeated.
bool Solve::keep(const Individual& best) {
    if (!solution_ || !solution_->isReplaced()) return true;
    if (!best.isFeasible() && !problem_->acceptsViolations()) return true;
    try {
        solution_->write(presenter_->solutionFile(best.slots));
        keepsBest_ = true;
    } catch (const InputError& error) {
        if (std::exchange(keepsBest_, false))
            timetabling::tell(
                fmt::format("\ntimetabling: the best timetable so far could not be written, the next attempt follows: {}\n", error.what()));
    }
    return keepsBest_;
}

/// Writes all results. Reports each result that cannot be written, and goes on. Returns whether all results were written.
bool Solve::writeResults(const Individual& best) {
    bool isComplete = true;
    const auto attempt = [&isComplete](const auto& write) {
        try {
            write();
        } catch (const InputError& error) {
            timetabling::tell(fmt::format("timetabling: {}\n", error.what()));
            isComplete = false;
        }
    };
    if (solution_) attempt([&] { solution_->write(presenter_->solutionFile(best.slots)); });
    if (html_) {
        attempt([&] {
            TimetableView view = presenter_->view(best.slots);
            setDates(view, options_.term);
            html_->write(view);
        });
    }
    if (json_)
        attempt([&] {
            json_->write(withMembers(presenter_->jsonDocument(best.slots), originMembers(options_.evolution) +
                                                                               (repair_ ? repair_->jsonMembers() : "") +
                                                                               (rest_ ? rest_->jsonMembers(best.slots) : "")));
        });
    if (front_ && repair_) attempt([&] { front_->write(repair_->frontText()); });
    if (csv_) attempt([&] { csv_->write(presenter_->csvTable(best.slots)); });
    if (calendars_) attempt([&] { calendars_->write(presenter_->calendars(best.slots)); });
    attempt([&] {
        printResult(presenter_->describeMoved(best.slots) + (repair_ ? repair_->sentence() : "") + presenter_->describeLeftOut(best.slots) +
                    (rest_ ? rest_->sentence(best.slots) : "") + presenter_->examine(best.slots).score);
    });
    return isComplete;
}

}    // namespace timetabling
