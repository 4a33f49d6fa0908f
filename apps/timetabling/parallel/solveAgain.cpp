#include <ferry/apps/timetabling/parallel/solveAgain.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/parallel/Evolution.hpp>
#include <ferry/apps/timetabling/parallel/ProgressLine.hpp>
#include <ferry/apps/timetabling/parallel/Repair.hpp>
#include <ferry/apps/timetabling/problem/PublishedOptions.hpp>

namespace timetabling {

void solveAgain(ferry::Master& master, const DeskOrder& order, EvolutionOptions options, Desk& desk, LiveState& live) {
    const bool isForFewMoves = std::visit(
        [](const auto& kind) {
            if constexpr (requires { kind.published; }) return !kind.published.keepWeight;
            return false;
        },
        order.instance);
    const auto isStopWanted = [&desk] { return desk.isStopWanted(); };
    options.iterations = 0;
    options.patience = 1;
    options.targetCost = 0;
    options.seconds = order.seconds;
    live.begin(master.slaveCount());
    ProgressLine progress(stderr, options.populationSize);
    try {
        AnyInstance instance(order.instance);
        const std::unique_ptr<const SearchProblem> problem = makeSearchProblem(instance);
        Repair repair(*problem, {}, options);
        if (isForFewMoves) {
            repair.prove(master, isStopWanted);
            beginWith(instance, repair.begin());
            options = repair.searchOptions();
        }
        Evolution evolution(master, instance, *problem, options, progress, &live);
        evolution.onStop(isStopWanted);
        evolution.run();
        const Individual& best = *evolution.best();
        repair.setFewest(best);
        std::string sentence = isForFewMoves ? repair.sentence() : "";
        if (sentence.ends_with('\n')) sentence.pop_back();
        desk.propose(order.instance, best.slots, sentence);
    } catch (const NoFeasibleTimetable& failure) {
        progress.leaveLine();
        desk.fail(failure.demands.empty() ? std::string(failure.what())
                                          : fmt::format("{} ({})", failure.what(), fmt::join(failure.demands, "; ")));
    } catch (const ferry::Terminated&) {
        progress.leaveLine();
        throw;
    } catch (const ferry::AssertionFailure&) {    // a mistake of the program ends the job
        progress.leaveLine();
        throw;
    } catch (const std::exception& failure) {    // the page and its timetable stay
        progress.leaveLine();
        desk.fail(failure.what());
    }
    live.end();
}

}    // namespace timetabling
