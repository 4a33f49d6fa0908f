#include <ferry/apps/timetabling/enrolment/search/DisplacedEvents.hpp>

#include <cstddef>

namespace timetabling::enrolment {

DisplacedEvents::DisplacedEvents(const Problem& problem)
    : problem_(problem),
      places_(static_cast<std::size_t>(problem.eventCount())),
      positions_(places_.size(), -1),
      inOtherRoom_(static_cast<std::size_t>(PeriodCount), 0) {
    for (int event = 0; event < problem.eventCount(); ++event) {
        const Displacement here = problem.published()->displacementAt(event, {});
        total_ += here;
        setListed(event, here.count() > 0);
    }
}

void DisplacedEvents::note(int event, const Place& place) {
    Place& known = places_[static_cast<std::size_t>(event)];
    if (known == place) return;
    const Displacement before = problem_.published()->displacementAt(event, known);
    const Displacement after = problem_.published()->displacementAt(event, place);
    total_ -= before;
    total_ += after;
    if (before.otherRoom > 0) --inOtherRoom_[static_cast<std::size_t>(known.period)];
    if (after.otherRoom > 0) ++inOtherRoom_[static_cast<std::size_t>(place.period)];
    setListed(event, after.count() > 0);
    known = place;
}

void DisplacedEvents::setListed(int event, bool isListed) {
    std::int32_t& position = positions_[static_cast<std::size_t>(event)];
    if (isListed == (position >= 0)) return;
    if (isListed) {
        position = static_cast<std::int32_t>(events_.size());
        events_.push_back(event);
        return;
    }
    const int last = events_.back();
    events_[static_cast<std::size_t>(position)] = last;
    events_.pop_back();
    positions_[static_cast<std::size_t>(last)] = position;
    position = -1;
}

}    // namespace timetabling::enrolment
