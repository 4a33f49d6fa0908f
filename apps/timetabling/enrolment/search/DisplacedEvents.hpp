#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Displacement.hpp>

namespace timetabling::enrolment {

/// Keeps count of the events of a timetable that are not where they were published.
///
/// Ownership: refers to the problem, which has a published timetable.
class DisplacedEvents {
public:
    /// For a timetable without any event.
    explicit DisplacedEvents(const Problem& problem);

    /// Notes that the event is in this place now, or left out.
    void note(int event, const Place& place);

    /// Events that are left out are in another period than published.
    const Displacement& total() const { return total_; }
    /// In no particular order.
    std::span<const int> events() const { return events_; }
    /// Those that are in this period and were published in it, but in another room.
    int inOtherRoom(int period) const { return inOtherRoom_[static_cast<std::size_t>(period)]; }

private:
    void setListed(int event, bool isListed);

    const Problem& problem_;
    std::vector<Place> places_;              ///< by event
    std::vector<std::int32_t> positions_;    ///< by event: in events_, or -1
    std::vector<int> events_;
    std::vector<int> inOtherRoom_;    ///< by period
    Displacement total_;
};

}    // namespace timetabling::enrolment
