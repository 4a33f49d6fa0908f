#include <ferry/apps/timetabling/search/RepublishingWalks.hpp>

#include <algorithm>
#include <cstdint>

namespace timetabling {

namespace {

// Numbers of units.
constexpr double MostWalkCharge = 100;    ///< for a walk that may displace lectures on its way; larger than the gain of most changes
constexpr double LeastHeat = 2;
constexpr double MostHeat = 30;

constexpr double HeatPerCharge = 0.15;    ///< at this temperature, about a tenth of the lectures are displaced
constexpr double WanderingShare = 0.7;    ///< share of the budget for the first walk; the rest is for the walk that displaces no more
                                          ///< lectures

}    // namespace

RepublishingWalks::RepublishingWalks(const DisplacementCharges& charges, const CoolingSchedule& cooling, double heat, double unit)
    : wandering_{charges, cooling} {
    const auto most = static_cast<std::int64_t>(MostWalkCharge * unit);
    if (charges.otherPeriod > most) {
        staying_ = WalkAroundPublished{charges, cooling, true};
        staying_->cooling.startTemperature = LeastHeat * unit;
        wandering_.charges = {most, most - std::min(charges.otherPeriod - charges.otherRoom, most / 10)};
        wandering_.cooling.endTemperature = LeastHeat * unit;
    }
    const double charge = static_cast<double>(wandering_.charges.otherPeriod);
    wandering_.cooling.startTemperature = heat * std::clamp(HeatPerCharge * charge, LeastHeat * unit, MostHeat * unit);
}

Budget RepublishingWalks::firstPartOf(const Budget& budget) {
    const double moves = WanderingShare * static_cast<double>(budget.moves);
    return {budget.moves > 0 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(moves)) : 0, WanderingShare * budget.seconds};
}

}    // namespace timetabling
