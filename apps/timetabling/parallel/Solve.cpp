#include <ferry/apps/timetabling/parallel/Solve.hpp>

#include <cstdio>

#include <fmt/format.h>

#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/parallel/Evolution.hpp>
#include <ferry/apps/timetabling/parallel/ProgressLine.hpp>

namespace timetabling {

Solve::Solve(const SolveOptions& options)
    : options_(options),
      instance_(readAnyInstance(options.instance, options.formulation)),
      problem_(makeSearchProblem(instance_)),
      presenter_(makePresenter(instance_)),
      solution_(open(options.solutionFile)),
      html_(open(options.htmlFile)),
      json_(open(options.jsonFile)) {}

std::unique_ptr<OutputFile> Solve::open(const std::string& path) { return path.empty() ? nullptr : std::make_unique<OutputFile>(path); }

int Solve::run(ferry::Master& master) {
    fmt::print("{}; {} slaves\n", presenter_->problemLine(), master.slaveCount());
    std::fflush(stdout);
    EvolutionOptions options = options_.evolution;
    options.populationSize = options_.populationSize.value_or(problem_->populationFor(master.slaveCount()));
    ProgressLine progress(stderr, options.populationSize);
    Evolution evolution(master, instance_, *problem_, options, progress);
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
    if (solution_) solution_->write(presenter_->solutionFile(best.slots));
    if (html_) html_->write(presenter_->htmlPage(best.slots));
    if (json_) json_->write(presenter_->jsonDocument(best.slots));
    fmt::print("{}", presenter_->examine(best.slots).score);
    std::fflush(stdout);
}

}    // namespace timetabling
