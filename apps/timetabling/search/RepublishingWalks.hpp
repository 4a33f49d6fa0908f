#pragma once

#include <optional>
#include <utility>

#include <ferry/apps/timetabling/model/Displacement.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/Cooling.hpp>
#include <ferry/apps/timetabling/search/SearchProblem.hpp>

namespace timetabling {

/// The parameters of one annealing near a published timetable.
struct WalkAroundPublished {
    DisplacementCharges charges;    ///< charges for displaced lectures or events during the walk
    CoolingSchedule cooling;
    bool displacesNoMore = false;
};

/// Anneals a timetable near a published one, at temperatures at which some lectures leave their places and most come back.
/// Very high charges would stop all moves, so they are scaled down for the first walk.
/// A second walk then displaces no additional lectures.
class RepublishingWalks {
public:
    /// 'charges' are the charges of the problem. 'cooling' is a schedule for the problem without a published timetable.
    /// 'heat' is the start temperature as a share of the highest temperature.
    /// 'unit' is a cost: most changes of a timetable change its cost by less than ten units.
    RepublishingWalks(const DisplacementCharges& charges, const CoolingSchedule& cooling, double heat, double unit);

    /// Runs the walks. annealFrom(walk, slots, budget) does one walk and returns a SearchResult.
    /// The result is never worse than that of annealFrom().
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
