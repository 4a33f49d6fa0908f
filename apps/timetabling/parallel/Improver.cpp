#include <ferry/apps/timetabling/parallel/Improver.hpp>

#include <chrono>
#include <memory>
#include <utility>

#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

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

ImprovedIndividual replyOf(SearchResult result, int conflictWeight) {
    ImprovedIndividual reply;
    reply.slots = std::move(result.best.slots);
    reply.conflicts = result.best.conflicts;
    reply.cost = result.best.cost;
    reply.moves = result.moves;
    reply.conflictWeight = conflictWeight;
    reply.moved = result.best.moved;
    reply.charge = result.best.charge;
    return reply;
}

}    // namespace

void Improver::serveIn(ferry::Slave& slave) {
    ferry::ObjectFactory::global().add<NoFeasibleTimetable>();
    slave.setUp([](ferry::Connector&) { return std::make_shared<Improver>(); });
    slave.on<BuildTask>([](const BuildTask& request, ferry::Task& task) { return task.state<Improver>().build(request, task); });
    slave.on<ImproveTask>([](const ImproveTask& request, ferry::Task& task) { return task.state<Improver>().improve(request, task); });
}

const SearchProblem& Improver::problemOf(ferry::Task& task) {
    if (!problem_) problem_ = makeSearchProblem(task.shared<AnyInstance>());
    return *problem_;
}

ImprovedIndividual Improver::build(const BuildTask& request, ferry::Task& task) {
    const bool isFirst = !problem_;
    const SearchProblem& problem = problemOf(task);
    if (isFirst) {
        if (const auto proof = problem.findInfeasibility()) FERRY_THROW(NoFeasibleTimetable(*proof));
    }
    const StopHook poll = pollerOf(task);
    const Individual built = problem.construct(Random::seedOf(request.seed, 0), request.construction, poll);
    if (!built.isFeasible() && !problem.acceptsViolations()) {
        if (const auto proof = problem.findInfeasibility(built.slots)) FERRY_THROW(NoFeasibleTimetable(*proof));
        FERRY_THROW(NoFeasibleTimetable(problem.describeViolations(built.slots)));
    }
    SearchResult annealed =
        problem.anneal(built.slots, {Random::seedOf(request.seed, 1), request.annealing, request.conflictWeight, request.targetCost}, poll);
    const bool isInVain = !annealed.best.isBetterThan(built);
    ImprovedIndividual reply = replyOf(std::move(annealed), request.conflictWeight);
    reply.isInVain = isInVain;
    return reply;
}

ImprovedIndividual Improver::improve(const ImproveTask& request, ferry::Task& task) {
    const SearchProblem& problem = problemOf(task);
    return replyOf(
        problem.improve(request.slots, {request.seed, request.annealing, request.conflictWeight, request.targetCost}, pollerOf(task)),
        request.conflictWeight);
}

}    // namespace timetabling
