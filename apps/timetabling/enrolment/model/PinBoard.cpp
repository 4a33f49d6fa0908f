#include <ferry/apps/timetabling/enrolment/model/PinBoard.hpp>

#include <cstddef>
#include <span>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/wording.hpp>
#include <ferry/apps/timetabling/model/contains.hpp>

namespace timetabling::enrolment {

namespace {

std::string tellOrder(int earlier, int later) {
    return fmt::format("event {} has to be before event {}, and is not where they are pinned", earlier, later);
}

}    // namespace

PinBoard::PinBoard(const Problem& problem)
    : problem_(problem),
      rooms_(static_cast<std::size_t>(PeriodCount), Matching(static_cast<std::size_t>(problem.roomCount()))) {}

std::optional<std::string> PinBoard::add(const Pin& pin) {
    if (auto contradiction = findContradiction(pin)) return contradiction;
    const std::span<const int> rooms = pin.room < 0 ? problem_.suitableRooms(pin.event) : std::span(&pin.room, 1);
    if (!rooms_[static_cast<std::size_t>(pin.period)].add(pin.event, rooms))
        return fmt::format("the events that are pinned on {} leave no room for event {}", when(pin.period), pin.event);
    pins_.push_back(pin);
    return std::nullopt;
}

std::optional<std::string> PinBoard::findContradiction(const Pin& pin) const {
    if (!problem_.isOpen(pin.event, pin.period))
        return fmt::format("event {} is pinned on {}, which is closed to it", pin.event, when(pin.period));
    if (pin.room >= 0 && !problem_.isSuitable(pin.event, pin.room))
        return fmt::format("event {} is pinned in room {}, which is too small or lacks a feature", pin.event, pin.room);
    for (const Pin& other : pins_) {
        if (other.event == pin.event) return fmt::format("event {} is pinned twice", pin.event);
        if (contains(problem_.earlierThan(pin.event), other.event) && other.period >= pin.period) return tellOrder(other.event, pin.event);
        if (contains(problem_.laterThan(pin.event), other.event) && other.period <= pin.period) return tellOrder(pin.event, other.event);
        if (other.period != pin.period) continue;
        if (problem_.shareStudents(pin.event, other.event))
            return fmt::format("events {} and {} share students and are both pinned on {}", pin.event, other.event, when(pin.period));
        if (pin.room >= 0 && other.room == pin.room)
            return fmt::format("events {} and {} are both pinned in room {} on {}", pin.event, other.event, pin.room, when(pin.period));
    }
    return std::nullopt;
}

}    // namespace timetabling::enrolment
