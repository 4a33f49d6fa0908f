#pragma once

#include <string>
#include <vector>

#include <ferry/connector/simulate.hpp>

namespace ferry::test {

/// The result of the campaign of guarded regions under simulation.
struct GuardedExerciseResult {
    SimulationResult simulation{};
    std::vector<std::string> problems{};    ///< problems of all ranks, including a wrong order of failures
    bool isRight() const { return simulation.haveAllReturned() && problems.empty(); }
    /// Describes the end of each rank, and the problems.
    std::string describe() const;
};

enum class GuardedWaits { ForOneRank, ForAnyRankToo };

/// Runs the campaign. The seed of the options determines the number of ranks and the random numbers.
GuardedExerciseResult guardedExercise(const SimulationOptions& options, GuardedWaits waits = GuardedWaits::ForAnyRankToo);

}    // namespace ferry::test
