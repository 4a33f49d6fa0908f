#include <ferry/apps/timetabling/enrolment/model/openPeriodsBeside.hpp>

#include <array>
#include <cstddef>

#include <ferry/apps/timetabling/model/contains.hpp>

namespace timetabling::enrolment {

namespace {

PeriodSet only(int period) { return PeriodSet{1} << period; }
PeriodSet upTo(int period) { return (only(period) << 1) - 1; }

}    // namespace

PeriodSet openPeriodsBeside(const Problem& problem, int event, std::span<const Pin> pins) {
    PeriodSet open = 0;
    for (const int period : problem.openPeriods(event)) open |= only(period);
    std::array<std::size_t, PeriodCount> takenRooms{};
    for (const Pin& pin : pins) {
        if (pin.event == event) {
            open &= only(pin.period);
            continue;
        }
        if (problem.excludeEachOther(event, pin.event)) open &= ~only(pin.period);
        if (contains(problem.earlierThan(event), pin.event)) open &= ~upTo(pin.period);
        if (contains(problem.laterThan(event), pin.event)) open &= upTo(pin.period) & ~only(pin.period);
        if (pin.room >= 0 && problem.isSuitable(event, pin.room)) ++takenRooms[static_cast<std::size_t>(pin.period)];
    }
    for (int period = 0; period < PeriodCount; ++period) {
        const std::size_t taken = takenRooms[static_cast<std::size_t>(period)];
        if (taken > 0 && taken == problem.suitableRooms(event).size()) open &= ~only(period);
    }
    return open;
}

}    // namespace timetabling::enrolment
