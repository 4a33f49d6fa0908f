#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>

#include <algorithm>
#include <stdexcept>

namespace timetabling {

namespace {

// Shares of the time of a timed run, measured on the instances of the competition.
constexpr double HurryShare = 0.04;
constexpr double MostHurrySeconds = 1;
constexpr double LongShare = 0.5;      ///< share of the time for all long annealings of a slave
constexpr double ChildShare = 0.12;    ///< share of the time for one child
constexpr double LeastChildSeconds = 0.1;
constexpr double ReplySeconds = 0.1;    ///< time reserved for the transfer of the last answers
constexpr double GraceSeconds = 0.5;    ///< the last answers may be late by this time

constexpr std::int64_t BuildMoves = 8'000'000;
constexpr std::int64_t ImproveMoves = 4'000'000;
constexpr std::int64_t ConstructionMoves = 500'000'000;

}    // namespace

EvolutionPlan::EvolutionPlan(const EvolutionOptions& options, int slaveCount) : options_(options), slaveCount_(slaveCount) {
    if (slaveCount < 1 || options.populationSize < 1 || (options.iterations <= 0 && options.seconds <= 0)) {
        throw std::invalid_argument("an evolution needs a slave, a place in the population, and time or iterations");
    }
}

std::optional<PlannedTask> EvolutionPlan::next(double elapsedSeconds) {
    std::optional<PlannedTask> task = isTimed() ? nextInTime(elapsedSeconds) : nextByNumber();
    if (task) ++tasks_;
    return task;
}

std::optional<PlannedTask> EvolutionPlan::nextInTime(double elapsedSeconds) {
    const double left = options_.seconds - ReplySeconds - elapsedSeconds;
    if (tasks_ < slaveCount_) {
        // These tasks are given out even when little time is left: without them there would be no result at all.
        const double hurry = std::min(MostHurrySeconds, HurryShare * options_.seconds);
        return PlannedTask{PlannedTask::Kind::Build, Budget::ofSeconds(options_.patience * options_.seconds), Budget::ofSeconds(hurry)};
    }
    const std::int64_t rounds = (options_.populationSize + slaveCount_ - 1) / slaveCount_;
    const bool isLong = tasks_ < slaveCount_ * (1 + rounds);
    const double wanted = isLong ? LongShare * options_.seconds / static_cast<double>(rounds) : ChildShare * options_.seconds;
    if (left < LeastChildSeconds) return std::nullopt;
    // When the remaining time is too short for another task, this task gets all of it.
    const double given = left < 1.5 * wanted ? left : wanted;
    return PlannedTask{isLong ? PlannedTask::Kind::Build : PlannedTask::Kind::Improve, Budget::ofSeconds(left), Budget::ofSeconds(given)};
}

std::optional<PlannedTask> EvolutionPlan::nextByNumber() {
    if (tasks_ >= options_.iterations) return std::nullopt;
    if (tasks_ < options_.populationSize) {
        return PlannedTask{PlannedTask::Kind::Build, Budget::ofMoves(ConstructionMoves), Budget::ofMoves(BuildMoves)};
    }
    return PlannedTask{PlannedTask::Kind::Improve, {}, Budget::ofMoves(ImproveMoves)};
}

bool EvolutionPlan::isOver(double elapsedSeconds) const { return isTimed() && elapsedSeconds > options_.seconds + GraceSeconds; }

}    // namespace timetabling
