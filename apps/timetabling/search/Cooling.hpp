#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <ferry/apps/timetabling/search/Budget.hpp>

namespace timetabling {

/// The fall of the temperature in an annealing. Temperatures have the unit of the soft cost.
struct CoolingSchedule {
    double startTemperature = 30;
    double endTemperature = 0.08;
    double coolingRate = 0.99;
    double acceptedShare = 0.036;    ///< a level ends early when this share of its moves has been accepted
};

/// Anneals a walk through timetables. walk.tryMove(temperature) tries one move, and returns whether the move was accepted.
/// walk.isDone() returns whether the walk should end. walk.offerBest() is called after every few milliseconds of work.
///
/// The temperature falls in levels of equal length. When a level ends early, later levels get its remaining moves.
/// So a budget is used up for every instance.
/// Errors: std::invalid_argument for a schedule that does not cool. Exceptions of the meter's stop hook pass through.
template <class Walk>
void coolDown(Walk& walk, const CoolingSchedule& schedule, BudgetMeter& meter) {
    const bool cools = schedule.coolingRate > 0 && schedule.coolingRate < 1;
    const bool isWarm = std::isfinite(schedule.startTemperature) && schedule.startTemperature > 0 && schedule.endTemperature > 0;
    if (!cools || !isWarm) throw std::invalid_argument("an annealing needs temperatures above 0 and a cooling rate between 0 and 1");

    double temperature = schedule.startTemperature;
    const auto stayAtLevel = [&](int levelsLeft) {
        std::int64_t made = 0;
        std::int64_t accepted = 0;
        while (true) {
            const std::int64_t length = std::max<std::int64_t>(1, (meter.movesLeft() + made) / levelsLeft);
            // The last level cannot save moves for a later one.
            const double share = levelsLeft == 1 ? 1.0 : schedule.acceptedShare;
            const auto mostAccepted = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(length) * share));
            const std::int64_t block = std::min(BudgetMeter::MovesPerCheck, length - made);
            if (block <= 0) return;
            std::int64_t i = 0;
            while (i < block && accepted < mostAccepted && !walk.isDone()) {
                accepted += walk.tryMove(temperature) ? 1 : 0;
                ++i;
            }
            made += i;
            walk.offerBest();
            if (meter.hasEndedAfter(i) || accepted >= mostAccepted || walk.isDone()) return;
        }
    };
    const double levels = std::ceil(std::log(schedule.endTemperature / schedule.startTemperature) / std::log(schedule.coolingRate));
    for (int levelsLeft = std::max(1, static_cast<int>(levels)); levelsLeft > 0 && !meter.hasEnded() && !walk.isDone(); --levelsLeft) {
        stayAtLevel(levelsLeft);
        temperature *= schedule.coolingRate;
    }
}

}    // namespace timetabling
