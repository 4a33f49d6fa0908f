#include <ferry/apps/timetabling/parallel/Improver.hpp>

#include <chrono>
#include <memory>
#include <utility>

#include <ferry/apps/timetabling/search/Annealer.hpp>
#include <ferry/apps/timetabling/search/Construction.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>

namespace timetabling {

namespace {

constexpr std::chrono::milliseconds PollInterval{2};

/// A stop hook that never asks to stop, but lets the connector throw when the job is over.
StopHook pollerOf(ferry::Task& task) {
    using Clock = std::chrono::steady_clock;
    return [&task, last = Clock::now()]() mutable {
        if (const Clock::time_point now = Clock::now(); now - last >= PollInterval) {
            last = now;
            task.connector().poll();
        }
        return false;
    };
}

ImprovedIndividual replyOf(Individual individual, std::int64_t moves, int conflictWeight) {
    ImprovedIndividual reply;
    reply.slots = std::move(individual.slots);
    reply.conflicts = individual.conflicts;
    reply.cost = individual.cost;
    reply.moves = moves;
    reply.conflictWeight = conflictWeight;
    return reply;
}

}    // namespace

void Improver::serveIn(ferry::Slave& slave) {
    ferry::ObjectFactory::global().add<NoFeasibleTimetable>();
    slave.setUp([](ferry::Connector&) { return std::make_shared<Improver>(); });
    slave.on<BuildTask>([](const BuildTask& request, ferry::Task& task) { return task.state<Improver>().build(request, task); });
    slave.on<ImproveTask>([](const ImproveTask& request, ferry::Task& task) { return task.state<Improver>().improve(request, task); });
}

const Problem& Improver::problemOf(ferry::Task& task) {
    if (!problem_) problem_.emplace(task.shared<Instance>());
    return *problem_;
}

ImprovedIndividual Improver::build(const BuildTask& request, ferry::Task& task) {
    const bool isFirst = !problem_;
    const Problem& problem = problemOf(task);
    if (isFirst) {
        if (const auto proof = findInfeasibility(problem)) FERRY_THROW(NoFeasibleTimetable(*proof, true));
    }
    const StopHook poll = pollerOf(task);
    Individual built = constructIndividual(problem, Random::seedOf(request.seed, 0), request.construction, poll);
    if (!built.isFeasible()) FERRY_THROW(NoFeasibleTimetable(describeConflicts(problem, built.slots), false));

    AnnealingOptions options;
    options.conflictWeight = request.conflictWeight;
    SearchState state(problem, built.slots);
    Annealer annealer(problem, Random::seedOf(request.seed, 1));
    Individual annealed = annealer.run(state, options, request.annealing, poll);
    const bool isInVain = !annealed.isBetterThan(built);
    ImprovedIndividual reply = replyOf(std::move(annealed), annealer.moves(), request.conflictWeight);
    reply.isInVain = isInVain;
    return reply;
}

ImprovedIndividual Improver::improve(const ImproveTask& request, ferry::Task& task) {
    const Problem& problem = problemOf(task);
    AnnealingOptions options;
    options.startTemperature = request.startTemperature;
    options.conflictWeight = request.conflictWeight;
    SearchState state(problem, request.slots);
    Annealer annealer(problem, request.seed);
    Individual improved = annealer.run(state, options, request.annealing, pollerOf(task));
    return replyOf(std::move(improved), annealer.moves(), request.conflictWeight);
}

}    // namespace timetabling
