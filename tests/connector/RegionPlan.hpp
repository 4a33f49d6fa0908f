#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/tests/connector/Injection.hpp>
#include <ferry/tests/connector/RegionActions.hpp>

namespace ferry::test {

struct RegionPlan;

/// One step of all ranks in a region.
struct PlannedStep {
    /// A step leaves strays in outermost regions only.
    enum class Kind { Action, LeaveStray, Region };
    Kind kind = Kind::Action;
    RegionAction action = RegionAction::Barrier;
    int mark = 0;
    int root = 0;
    bool isWakeSwallowed = false;    ///< true: the step swallows the exception that wakes it, like careless code
    std::shared_ptr<const RegionPlan> region{};
    bool isRegionCaught = false;
};

/// A failure that a rank throws at the throw point with this number, if the rank gets so far.
/// Throw points are counted from the beginning of the outermost region (or of the job).
struct PlannedThrow {
    int number = 0;
    InjectedForm form = InjectedForm::Standard;
    int rank = 0;
    int atPoint = 0;
};

/// The steps of all ranks in a guarded region.
struct RegionPlan {
    std::vector<PlannedStep> steps{};
    std::vector<PlannedThrow> throws{};    ///< throws of the outermost region
};

/// Draws one plan after the other. Ranks with the same seed get the same plans.
class RegionPlanner {
public:
    RegionPlanner(std::uint64_t seed, int rankCount) : random_(seed), rankCount_(rankCount) {}

    RegionPlan next();

private:
    int below(int count) { return static_cast<int>(random_.below(static_cast<std::uint64_t>(count))); }
    RegionPlan regionAt(int depth);
    PlannedStep stepAt(int depth);
    void addThrows(RegionPlan& plan);

    SeededRandom random_;
    int rankCount_;
    int markCount_ = 0;
    int throwCount_ = 0;
};

}    // namespace ferry::test
