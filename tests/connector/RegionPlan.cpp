#include <ferry/tests/connector/RegionPlan.hpp>

#include <array>
#include <cstddef>

namespace ferry::test {

namespace {

constexpr int maxDepth = 2;
// Distance between the marks of actions, since ranks add their numbers to marks.
constexpr int markDistance = 1000;
// Most regions fail early, so that many ranks are on their way to the same place. Some regions fail late.
constexpr std::array<int, 4> lastPoints{3, 12, 30, 80};

}    // namespace

RegionPlan RegionPlanner::next() {
    RegionPlan plan = regionAt(0);
    if (below(4) != 0) addThrows(plan);
    return plan;
}

RegionPlan RegionPlanner::regionAt(int depth) {
    RegionPlan plan;
    const int count = 1 + below(5);
    for (int i = 0; i < count; ++i) plan.steps.push_back(stepAt(depth));
    return plan;
}

PlannedStep RegionPlanner::stepAt(int depth) {
    PlannedStep step;
    step.mark = ++markCount_ * markDistance;
    step.root = below(rankCount_);
    step.isWakeSwallowed = below(8) == 0;
    const int choice = below(RegionActionCount + 4);
    if (choice < RegionActionCount) {
        step.action = static_cast<RegionAction>(choice);
    } else if (choice == RegionActionCount) {
        if (depth == 0) step.kind = PlannedStep::Kind::LeaveStray;
    } else if (depth < maxDepth) {
        step.kind = PlannedStep::Kind::Region;
        step.region = std::make_shared<RegionPlan>(regionAt(depth + 1));
        step.isRegionCaught = below(2) == 0;
    }
    return step;
}

void RegionPlanner::addThrows(RegionPlan& plan) {
    const int count = below(2) == 0 ? 1 : 1 + below(4);
    for (int i = 0; i < count; ++i) {
        const int last = lastPoints[static_cast<std::size_t>(below(static_cast<int>(lastPoints.size())))];
        PlannedThrow planned;
        planned.number = ++throwCount_;
        planned.form = static_cast<InjectedForm>(below(InjectedFormCount));
        const bool isOnAll = below(8) == 0;
        const int only = below(rankCount_);
        for (int rank = 0; rank < rankCount_; ++rank) {
            planned.rank = rank;
            planned.atPoint = 1 + below(last);
            if (isOnAll || rank == only) plan.throws.push_back(planned);
        }
    }
}

}    // namespace ferry::test
