#include <ferry/apps/timetabling/enrolment/model/movedEvents.hpp>

#include <cstddef>
#include <string>

#include <ferry/apps/timetabling/enrolment/model/wording.hpp>

namespace timetabling::enrolment {

namespace {

/// The reason why the event cannot be in its published place. Empty when the place itself gives no reason.
std::string causeOf(const Problem& problem, int event, const Place& published) {
    if (!problem.isOpen(event, published.period)) return "the period is closed";
    if (published.room >= problem.roomCount()) return "the room is no longer there";
    if (published.room >= 0 && !problem.isSuitable(event, published.room)) return "the room is too small or lacks a feature";
    return {};
}

}    // namespace

std::vector<Moved> movedEvents(const Problem& problem, const Solution& solution) {
    std::vector<Moved> moved;
    if (!problem.published()) return moved;
    for (int event = 0; event < problem.eventCount(); ++event) {
        const Place& before = problem.published()->placeOf(event);
        const Place& now = solution[static_cast<std::size_t>(event)];
        if (!before.isPlaced()) {
            if (now.isPlaced()) moved.push_back({event, "", describe(now), "", now.period, now.room});
        } else if (problem.published()->displacementAt(event, now).count() > 0) {
            moved.push_back({event, describe(before), describe(now), causeOf(problem, event, before), now.period, now.room});
        }
    }
    return moved;
}

}    // namespace timetabling::enrolment
