#include <ferry/apps/timetabling/parallel/Solve.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <ferry/version.hpp>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/requireDistinctFiles.hpp>
#include <ferry/apps/timetabling/io/standardStreams.hpp>
#include <ferry/apps/timetabling/parallel/Evolution.hpp>
#include <ferry/apps/timetabling/parallel/ProgressLine.hpp>

namespace timetabling {

namespace {

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

const SolveOptions& withDistinctFiles(const SolveOptions& options) {
    requireDistinctFiles({options.instance, options.published.startFile, options.published.pinFile, options.weightsFile},
                         {{"--out", options.solutionFile},
                          {"--html", options.htmlPath},
                          {"--json", options.jsonFile},
                          {"--csv", options.csvFile},
                          {"--front", options.repair ? options.repair->frontFile : std::string()},
                          {"--ics", options.calendarFolder}});
    return options;
}

}    // namespace

Solve::Solve(const SolveOptions& options)
    : options_(withDistinctFiles(options)),
      instance_(withPublished(readAnyInstance(options.instance, options.formulation, ownWeights(options.weightsFile)), options.published)),
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
    if (options.port) {
        live_ = std::make_unique<LiveState>(presenter_->problemLine());
        livePage_ = std::make_unique<LivePage>(*live_, *presenter_);
        server_ = std::make_unique<HttpServer>(*options.port, [this](std::string_view path) { return livePage_->answer(path); });
    }
}

std::unique_ptr<OutputFile> Solve::open(const std::string& path) { return path.empty() ? nullptr : std::make_unique<OutputFile>(path); }

int Solve::run(ferry::Master& master) {
    printResult(fmt::format("{}; {} slaves\n", presenter_->problemLine(), master.slaveCount()));
    if (server_) {
        live_->begin(master.slaveCount());
        timetabling::tell(
            fmt::format("timetabling: http://127.0.0.1:{}/{}/ shows how the search gets on\n", server_->port(), server_->token()));
    }
    EvolutionOptions options = options_.evolution;
    if (options_.repair) {
        repair_ = std::make_unique<Repair>(*problem_, *options_.repair, options);
        repair_->prove(master);
        beginWith(instance_, repair_->begin());
        options = repair_->searchOptions();
    }
    options.populationSize = options_.populationSize.value_or(problem_->populationFor(master.slaveCount()));
    ProgressLine progress(stderr, options.populationSize);
    Evolution evolution(master, instance_, *problem_, options, progress, live_.get());
    evolution.onNewBest([this](const Individual& best) { return keep(best); });
    try {
        evolution.run();
    } catch (const NoFeasibleTimetable& failure) {
        progress.leaveLine();
        tell(failure);
        return 1;
    } catch (const ferry::Terminated&) {
        progress.leaveLine();
        if (repair_ && evolution.best()) repair_->setFewest(*evolution.best());
        if (evolution.best()) writeResults(*evolution.best());
        throw;
    }
    constexpr int badOutput = 2;
    if (!repair_) return writeResults(*evolution.best()) ? 0 : badOutput;
    Individual repaired = *evolution.best();
    try {
        repaired = repair_->widen(master, repaired);
    } catch (const ferry::Terminated&) {
        writeResults(repaired);
        throw;
    }
    if (!writeResults(repaired)) return badOutput;
    return repair_->isWithin() ? 0 : 1;
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
    if (html_) attempt([&] { html_->write(presenter_->view(best.slots)); });
    if (json_)
        attempt([&] {
            json_->write(withMembers(presenter_->jsonDocument(best.slots),
                                     originMembers(options_.evolution) + (repair_ ? repair_->jsonMembers() : "")));
        });
    if (front_) attempt([&] { front_->write(repair_->frontText()); });
    if (csv_) attempt([&] { csv_->write(presenter_->csvTable(best.slots)); });
    if (calendars_) attempt([&] { calendars_->write(presenter_->calendars(best.slots)); });
    attempt([&] {
        printResult(presenter_->describeMoved(best.slots) + (repair_ ? repair_->sentence() : "") + presenter_->examine(best.slots).score);
    });
    return isComplete;
}

}    // namespace timetabling
