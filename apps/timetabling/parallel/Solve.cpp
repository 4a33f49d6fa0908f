#include <ferry/apps/timetabling/parallel/Solve.hpp>

#include <cstdio>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/parallel/Evolution.hpp>
#include <ferry/apps/timetabling/parallel/ProgressLine.hpp>
#include <ferry/apps/timetabling/report/HtmlReport.hpp>
#include <ferry/apps/timetabling/report/JsonReport.hpp>
#include <ferry/apps/timetabling/report/TextReport.hpp>

namespace timetabling {

Solve::Solve(const SolveOptions& options)
    : options_(options),
      problem_(readInstance(options.instance)),
      solution_(open(options.solutionFile)),
      html_(open(options.htmlFile)),
      json_(open(options.jsonFile)) {}

std::unique_ptr<OutputFile> Solve::open(const std::string& path) { return path.empty() ? nullptr : std::make_unique<OutputFile>(path); }

int Solve::run(ferry::Master& master) {
    fmt::print("{}: {} courses, {} lectures, {} rooms, {} periods, {} curricula; {} slaves\n", printable(problem_.instance().name),
               problem_.courseCount(), problem_.lectureCount(), problem_.roomCount(), problem_.periodCount(), problem_.curriculumCount(),
               master.slaveCount());
    std::fflush(stdout);
    ProgressLine progress(stderr, options_.evolution.populationSize);
    Evolution evolution(master, problem_, options_.evolution, progress);
    try {
        evolution.run();
    } catch (const NoFeasibleTimetable& failure) {
        progress.leaveLine();
        fmt::print(stderr, "timetabling: {}: {}\n", printable(options_.instance), printable(failure.what(), 1000));
        return 1;
    } catch (const ferry::Terminated&) {
        progress.leaveLine();
        if (evolution.best()) writeResults(*evolution.best());
        throw;
    }
    writeResults(*evolution.best());
    return 0;
}

void Solve::writeResults(const Individual& best) {
    const Solution solution = toSolution(problem_, best.slots);
    const Score score = scoreOf(problem_, solution);
    if (solution_) solution_->write(writeSolution(problem_, solution));
    if (html_) html_->write(writeHtmlReport(problem_, solution));
    if (json_) json_->write(writeJsonReport(problem_, solution));
    fmt::print("{}{}\n", describeScore(score), summarize(score));
    std::fflush(stdout);
}

}    // namespace timetabling
