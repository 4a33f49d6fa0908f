#include <ferry/apps/timetabling/enrolment/model/wording.hpp>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>

namespace timetabling::enrolment {

std::string when(int period) { return fmt::format("day {} period {}", period / PeriodsPerDay, period % PeriodsPerDay); }

std::string describe(const Place& place) {
    if (!place.isPlaced()) return "left out";
    return place.room < 0 ? when(place.period) : fmt::format("{} room {}", when(place.period), place.room);
}

std::string describe(const Pin& pin) {
    const std::string text = fmt::format("pinned: event {} on {}", pin.event, when(pin.period));
    return pin.room < 0 ? text : fmt::format("{} in room {}", text, pin.room);
}

}    // namespace timetabling::enrolment
