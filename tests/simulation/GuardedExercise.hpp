#pragma once

#include <string>
#include <vector>

#include <ferry/connector/simulate.hpp>

namespace ferry::test {

/// What came of the campaign of guarded regions under simulation.
struct GuardedExerciseResult {
    SimulationResult simulation{};
    std::vector<std::string> problems{};    ///< of all ranks, the order of failures too
    bool isRight() const { return simulation.haveAllReturned() && problems.empty(); }
    /// How each rank ended, and the problems.
    std::string describe() const;
};

enum class GuardedWaits { ForOneRank, ForAnyRankToo };

/// Runs the campaign with the ranks and the random numbers of the options' seed.
GuardedExerciseResult guardedExercise(const SimulationOptions& options, GuardedWaits waits = GuardedWaits::ForAnyRankToo);

}    // namespace ferry::test
