#include <ferry/apps/timetabling/enrolment/model/Solution.hpp>

#include <stdexcept>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/Score.hpp>

namespace timetabling::enrolment {

Solution toSolution(const Problem& problem, const Slots& slots) {
    Solution solution;
    solution.reserve(slots.size());
    for (const int slot : slots) solution.push_back(slot < 0 ? Place{} : Place{problem.periodOfSlot(slot), problem.roomOfSlot(slot)});
    return solution;
}

Slots toSlots(const Problem& problem, const Solution& solution) {
    Slots slots;
    for (const Place& place : solution) {
        if (place.isPlaced() && place.room < 0) throw std::invalid_argument("an event has a period and no room");
        slots.push_back(place.isPlaced() ? problem.slotOf(place.period, place.room) : -1);
    }
    return slots;
}

void checkSlots(const Problem& problem, const Slots& slots) {
    if (slots.size() != static_cast<std::size_t>(problem.eventCount())) {
        throw std::invalid_argument(fmt::format("slots: expected {}, found {}", problem.eventCount(), slots.size()));
    }
    for (const int slot : slots) {
        if (slot < -1 || slot >= problem.slotCount()) {
            throw std::invalid_argument(fmt::format("slot: expected -1 to {}, found {}", problem.slotCount() - 1, slot));
        }
    }
    for (const Violation& violation : findHardViolations(problem, toSolution(problem, slots))) {
        if (violation.constraint != Constraint::Unplaced) throw std::invalid_argument("slots: " + describe(problem, violation));
    }
}

}    // namespace timetabling::enrolment
