#pragma once

#include <cstddef>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>
#include <ferry/apps/timetabling/model/Displacement.hpp>

namespace timetabling::enrolment {

/// The published places of the events of an instance, and the charge for an event in another place.
class PublishedPlaces {
public:
    /// The instance has to pass checkInstance() and to have published places.
    explicit PublishedPlaces(const Instance& instance);

    const Place& placeOf(int event) const { return places_[static_cast<std::size_t>(event)]; }

    /// Returns the displacement that the event adds in this place. A left-out event counts as an event in another period.
    /// An event that was not published adds nothing in any place.
    Displacement displacementAt(int event, const Place& place) const {
        const Place& published = placeOf(event);
        if (!published.isPlaced()) return {};
        if (published.period != place.period) return {1, 0};
        return published.room < 0 || published.room == place.room ? Displacement{} : Displacement{0, 1};
    }

    /// The charges for displaced events. With 'as few as possible', the search minimises first the number of displaced events.
    /// The number of events in another period comes second, and the cost third.
    const DisplacementCharges& charges() const { return charges_; }

private:
    std::vector<Place> places_;    ///< indexed by event
    DisplacementCharges charges_;
};

}    // namespace timetabling::enrolment
