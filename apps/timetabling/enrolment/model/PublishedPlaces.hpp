#pragma once

#include <cstddef>

#include <ferry/apps/timetabling/enrolment/model/Instance.hpp>
#include <ferry/apps/timetabling/model/Displacement.hpp>

namespace timetabling::enrolment {

/// Where the events of an instance were published, and what it counts to have them elsewhere.
class PublishedPlaces {
public:
    /// For an instance that checkInstance() accepts and that has published places.
    explicit PublishedPlaces(const Instance& instance);

    const Place& placeOf(int event) const { return places_[static_cast<std::size_t>(event)]; }

    /// What the event adds when it is in this place; one that is left out is in another period. An event that was not published adds
    /// nothing, wherever it is.
    Displacement displacementAt(int event, const Place& place) const {
        const Place& published = placeOf(event);
        if (!published.isPlaced()) return {};
        if (published.period != place.period) return {1, 0};
        return published.room < 0 || published.room == place.room ? Displacement{} : Displacement{0, 1};
    }

    /// With these charges and 'as few as possible' one event fewer that is displaced outweighs everything, then one fewer in another
    /// period, then the cost.
    const DisplacementCharges& charges() const { return charges_; }

private:
    std::vector<Place> places_;    ///< by event
    DisplacementCharges charges_;
};

}    // namespace timetabling::enrolment
