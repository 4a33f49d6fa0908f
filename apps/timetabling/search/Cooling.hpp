#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include <ferry/apps/timetabling/search/Budget.hpp>

namespace timetabling {

/// How the temperature of an annealing falls, in the units of the soft cost.
struct CoolingSchedule {
    double startTemperature = 30;
    double endTemperature = 0.08;
    double coolingRate = 0.99;
    double acceptedShare = 0.036;    ///< a level ends early when this share of its moves has been accepted
};

/// Lets a walk through timetables cool down: walk.tryMove(temperature) tries one move and tells whether it was accepted, walk.isDone()
/// tells whether it should end; walk.offerBest() is called after every few milliseconds of work.
///
/// The temperature falls in levels of equal length. What a level saves by ending early goes to the later ones, so a budget is used up
/// whatever the instance.
/// Errors: std::invalid_argument for a schedule that does not cool. What the stop hook of the meter throws comes through.
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
            // The last level has no later one that it could save moves for.
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
