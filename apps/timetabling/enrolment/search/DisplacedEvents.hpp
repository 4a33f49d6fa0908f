#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Displacement.hpp>

namespace timetabling::enrolment {

/// Counts the events of a timetable that are not in their published places.
///
/// Ownership: refers to the problem, which has a published timetable.
class DisplacedEvents {
public:
    /// Starts with a timetable without any event.
    explicit DisplacedEvents(const Problem& problem);

    /// Notes the present place of the event. The event may be left out.
    void note(int event, const Place& place);

    /// The number of displaced events. A left-out event counts as an event in another period.
    const Displacement& total() const { return total_; }
    /// The displaced events, in no particular order.
    std::span<const int> events() const { return events_; }
    /// Number of events of this period that were published in this period, but in another room.
    int inOtherRoom(int period) const { return inOtherRoom_[static_cast<std::size_t>(period)]; }

private:
    void setListed(int event, bool isListed);

    const Problem& problem_;
    std::vector<Place> places_;              ///< indexed by event
    std::vector<std::int32_t> positions_;    ///< indexed by event: index into events_, or -1
    std::vector<int> events_;
    std::vector<int> inOtherRoom_;    ///< indexed by period
    Displacement total_;
};

}    // namespace timetabling::enrolment
