#pragma once

#include <cstdint>
#include <optional>

#include <ferry/apps/timetabling/search/Budget.hpp>

namespace timetabling {

/// What the user asks of an evolution.
struct EvolutionOptions {
    double seconds = 20;            ///< how long, unless iterations are given
    std::int64_t iterations = 0;    ///< how many individuals are built or improved; makes the run repeatable
    std::uint64_t seed = 1;
    int populationSize = 4;
    std::int64_t targetCost = 0;    ///< a feasible timetable that costs no more ends the run
};

/// One piece of work for a slave.
struct PlannedTask {
    enum class Kind {
        Build,      ///< from nothing
        Improve,    ///< a child of the population
    };
    Kind kind = Kind::Build;
    Budget construction;    ///< for a build: how long to look for a feasible timetable
    Budget annealing;
};

/// Shares the work of an evolution out: who anneals how long. Knows neither slaves nor timetables, only how many there are.
///
/// By time: each slave first builds an individual in a hurry, so that there is a result to show and to fall back on; then come long
/// annealings, then children until the time is over. By iterations: one build per place in the population, then children.
class EvolutionPlan {
public:
    EvolutionPlan(const EvolutionOptions& options, int slaveCount);

    /// How many tasks should be under way together.
    int tasksAtOnce() const { return isTimed() ? slaveCount_ : 2 * slaveCount_; }
    bool isTimed() const { return options_.iterations == 0; }

    /// The next task, or none when the work is shared out. 'elapsedSeconds' is looked at only by a plan that is timed.
    std::optional<PlannedTask> next(double elapsedSeconds);

    /// Whether the answers to tasks that are still under way should no longer be waited for.
    bool isOver(double elapsedSeconds) const;

private:
    std::optional<PlannedTask> nextInTime(double elapsedSeconds);
    std::optional<PlannedTask> nextByNumber();

    EvolutionOptions options_;
    int slaveCount_;
    std::int64_t tasks_ = 0;
};

}    // namespace timetabling
