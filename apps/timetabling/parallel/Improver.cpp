#include <ferry/apps/timetabling/parallel/Improver.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <ferry/apps/timetabling/problem/AnyProblem.hpp>

namespace timetabling {

namespace {

constexpr std::chrono::milliseconds PollInterval{2};
constexpr std::chrono::seconds ReportInterval{1};
constexpr int MasterRank = 0;

/// Returns a stop hook that asks to stop when the master has cancelled the task. The hook throws when the job is over.
StopHook pollerOf(ferry::Task& task) {
    using Clock = std::chrono::steady_clock;
    return [&task, last = Clock::now()]() mutable {
        if (const Clock::time_point now = Clock::now(); now - last >= PollInterval) {
            last = now;
            return task.cancelled();
        }
        return false;
    };
}

ImprovedIndividual replyOf(const ferry::Task& task, SearchResult result, int conflictWeight) {
    ImprovedIndividual reply;
    reply.task = task.number();
    reply.individual = std::move(result.best);
    reply.moves = result.moves;
    reply.conflictWeight = conflictWeight;
    return reply;
}

/// Tells the master that a task of this kind begins. The returned hook sends the best timetable to the master, rarely enough to cost
/// nothing.
OfferHook reporterOf(ferry::Task& task, bool isBuild) {
    using Clock = std::chrono::steady_clock;
    WorkReport begin;
    begin.task = task.number();
    begin.version = task.sharedVersion<AnyInstance>();
    begin.isBuild = isBuild;
    task.connector().send(MasterRank, begin);
    return [&task, isBuild, last = Clock::now()](const Individual& best) mutable {
        const Clock::time_point now = Clock::now();
        if (now - last < ReportInterval) return false;
        last = now;
        WorkReport report;
        report.task = task.number();
        report.version = task.sharedVersion<AnyInstance>();
        report.isBuild = isBuild;
        report.individual = best;
        task.connector().send(MasterRank, report);
        return true;
    };
}

/// Builds a timetable. After the first seconds without success, and after longer and longer parts of the time, looks for a proof that there
/// is none: so the proof does not wait until the time is over. With a number of moves, parts of the moves take the place of seconds.
/// Errors: NoFeasibleTimetable with a proof.
Individual construct(const SearchProblem& problem, const BuildTask& request, const StopHook& poll) {
    using Clock = std::chrono::steady_clock;
    constexpr double firstSeconds = 4;
    constexpr double firstMoves = 100'000'000;
    const Clock::time_point begin = Clock::now();
    const bool isTimed = request.construction.seconds > 0;
    const bool hasParts = !problem.acceptsViolations() && (isTimed || request.construction.moves > 0);
    Individual best;
    double part = isTimed ? firstSeconds : firstMoves;
    double left = isTimed ? request.construction.seconds : static_cast<double>(request.construction.moves);
    for (std::uint64_t attempt = 0;; ++attempt, part *= 2) {
        if (attempt > 0 && left <= 0) return best;
        const bool isLast = !hasParts || left < 2 * part;
        Budget budget = request.construction;
        if (hasParts && isTimed) budget.seconds = isLast ? left : part;
        if (hasParts && !isTimed) budget.moves = static_cast<std::int64_t>(isLast ? left : part);
        Individual built = problem.construct(Random::seedOf(request.seed, attempt == 0 ? 0 : 1 + attempt), budget, poll);
        if (best.slots.empty() || built.isBetterThan(best)) best = std::move(built);
        if (best.isFeasible() || problem.acceptsViolations()) return best;
        if (const auto proof = problem.findInfeasibility(best.slots)) FERRY_THROW(NoFeasibleTimetable(*proof));
        if (isLast) return best;
        left = isTimed ? request.construction.seconds - std::chrono::duration<double>(Clock::now() - begin).count() : left - part;
    }
}

}    // namespace

void Improver::serveIn(ferry::Slave& slave) {
    ferry::ObjectFactory::global().add<NoFeasibleTimetable>();
    slave.setUp([](ferry::Connector&) { return std::make_shared<Improver>(); });
    slave.on<BuildTask>([](const BuildTask& request, ferry::Task& task) { return task.state<Improver>().build(request, task); });
    slave.on<WithinTask>([](const WithinTask& request, ferry::Task& task) { return task.state<Improver>().searchWithin(request, task); });
    slave.on<RestTask>([](const RestTask& request, ferry::Task& task) { return task.state<Improver>().findRest(request, task); });
    slave.on<ImproveTask>([](const ImproveTask& request, ferry::Task& task) { return task.state<Improver>().improve(request, task); });
}

const SearchProblem& Improver::problemOf(ferry::Task& task) {
    const int version = task.sharedVersion<AnyInstance>();
    if (!problem_ || version != version_) {
        problem_ = makeSearchProblem(task.shared<AnyInstance>());
        version_ = version;
        isProofSought_ = false;
    }
    return *problem_;
}

ImprovedIndividual Improver::build(const BuildTask& request, ferry::Task& task) {
    const SearchProblem& problem = problemOf(task);
    if (!isProofSought_) proof_ = problem.findInfeasibility();
    isProofSought_ = true;
    if (proof_) FERRY_THROW(NoFeasibleTimetable(*proof_));    // for each build: construction needs a problem without a proof
    const OfferHook report = reporterOf(task, true);
    const StopHook poll = pollerOf(task);
    const Individual built = construct(problem, request, poll);
    if (!built.isFeasible() && !problem.acceptsViolations()) {
        FERRY_THROW(NoFeasibleTimetable(problem.describeViolations(built.slots)));
    }
    SearchResult annealed = problem.anneal(
        built.slots, {Random::seedOf(request.seed, 1), request.annealing, request.conflictWeight, request.targetCost, report}, poll);
    const bool isInVain = !annealed.best.isBetterThan(built);
    ImprovedIndividual reply = replyOf(task, std::move(annealed), request.conflictWeight);
    reply.isInVain = isInVain;
    return reply;
}

FrontPart Improver::searchWithin(const WithinTask& request, ferry::Task& task) {
    SearchOrder order;
    order.seed = request.seed;
    order.budget = request.annealing;
    FrontPart reply;
    reply.points = problemOf(task).searchWithin(request.slots, request.mostMoved, order, pollerOf(task));
    return reply;
}

RestFound Improver::findRest(const RestTask& request, ferry::Task& task) {
    const SearchProblem& problem = problemOf(task);
    const StopHook poll = pollerOf(task);
    RestFound reply;
    if (request.slots.empty()) {
        try {
            reply.slots = problem.placeMost(request.seed, request.budget, poll).value_or(Slots());
        } catch (const std::invalid_argument& error) {
            FERRY_THROW(NoFeasibleTimetable(std::string(error.what())));
        }
        reply.bound = problem.leastLeftOut(0, Budget::ofMoves(1), poll).bound;
        return reply;
    }
    const auto most = static_cast<int>(std::count_if(request.slots.begin(), request.slots.end(), [](int slot) { return slot < 0; }));
    LeastLeftOut least = problem.leastLeftOut(most, request.budget, poll);
    reply.bound = least.bound;
    if (least.slots) reply.slots = std::move(*least.slots);
    return reply;
}

ImprovedIndividual Improver::improve(const ImproveTask& request, ferry::Task& task) {
    const SearchProblem& problem = problemOf(task);
    const SearchOrder order{request.seed, request.annealing, request.conflictWeight, request.targetCost, reporterOf(task, false)};
    return replyOf(task, problem.improve(request.slots, order, pollerOf(task)), request.conflictWeight);
}

}    // namespace timetabling
