#pragma once

#include <cstdint>
#include <optional>

#include <ferry/apps/timetabling/search/Budget.hpp>

namespace timetabling {

/// The user's options for an evolution.
struct EvolutionOptions {
    double seconds = 20;            ///< duration, unless iterations are given
    std::int64_t iterations = 0;    ///< number of individuals to build or improve; makes the run repeatable
    double patience = 1;            ///< share of the time after which a run without a timetable ends
    std::uint64_t seed = 1;
    int populationSize = 4;
    std::int64_t targetCost = 0;    ///< a feasible timetable that costs no more ends the run
};

/// One piece of work for a slave.
struct PlannedTask {
    enum class Kind {
        Build,      ///< builds a timetable from nothing
        Improve,    ///< improves a child of the population
    };
    Kind kind = Kind::Build;
    Budget construction;    ///< for a build: the budget for the search of a feasible timetable
    Budget annealing;
};

/// Distributes the work of an evolution over the slaves. The plan knows the numbers of slaves and timetables, not the objects.
///
/// With a time limit, each slave first builds an individual in a short time, so that there is always a result.
/// Long annealings follow, and then children until the time is over.
/// With a number of iterations, there is one build for each place in the population, and then children.
class EvolutionPlan {
public:
    EvolutionPlan(const EvolutionOptions& options, int slaveCount);

    /// The number of tasks that should be under way together.
    int tasksAtOnce() const { return isTimed() ? slaveCount_ : 2 * slaveCount_; }
    bool isTimed() const { return options_.iterations == 0; }

    /// Returns the next task; nothing when all work has been given out. Only a timed plan looks at 'elapsedSeconds'.
    std::optional<PlannedTask> next(double elapsedSeconds);

    /// Whether the master should stop waiting for the answers of tasks under way.
    bool isOver(double elapsedSeconds) const;

private:
    std::optional<PlannedTask> nextInTime(double elapsedSeconds);
    std::optional<PlannedTask> nextByNumber();

    EvolutionOptions options_;
    int slaveCount_;
    std::int64_t tasks_ = 0;
};

}    // namespace timetabling
