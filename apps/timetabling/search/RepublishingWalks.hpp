#pragma once

#include <optional>
#include <utility>

#include <ferry/apps/timetabling/model/Displacement.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Cooling.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// One annealing of a timetable that should stay near a published one.
struct WalkAroundPublished {
    DisplacementCharges charges;    ///< what displaced lectures or events count for the walk
    CoolingSchedule cooling;
    bool displacesNoMore = false;
};

/// How a timetable is annealed where one was published: at temperatures at which some lectures leave their places and most come back;
/// where charges are so high that a walk could not move with them, they are scaled down, and a second walk displaces no more lectures.
class RepublishingWalks {
public:
    /// 'charges' are those of the problem. 'cooling' is a schedule for it without a published timetable, 'heat' the share of the highest
    /// temperature to begin with. 'unit' is a cost of which most changes of a timetable gain or lose less than ten.
    RepublishingWalks(const DisplacementCharges& charges, const CoolingSchedule& cooling, double heat, double unit);

    /// Lets annealFrom(walk, slots, budget), which gives a SearchResult, do the walks. Never returns a timetable worse than it does.
    template <class AnnealFrom>
    SearchResult run(const Slots& slots, const Budget& budget, const StopHook& stop, AnnealFrom annealFrom) const {
        BudgetMeter meter(budget, stop);
        SearchResult result = annealFrom(wandering_, slots, staying_ ? firstPartOf(budget) : budget);
        if (!staying_ || meter.hasEndedAfter(result.moves)) return result;
        SearchResult after = annealFrom(*staying_, result.best.slots, meter.rest());
        if (after.best.isBetterThan(result.best)) result.best = std::move(after.best);
        result.moves += after.moves;
        return result;
    }

private:
    static Budget firstPartOf(const Budget& budget);

    WalkAroundPublished wandering_;
    std::optional<WalkAroundPublished> staying_;
};

}    // namespace timetabling
