#pragma once

#include <optional>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

namespace timetabling::enrolment {

/// Gives rooms to all events of a period. As few events as possible are in another room than published.
///
/// Ownership: refers to the problem, which has a published timetable.
class RoomKeeper {
public:
    explicit RoomKeeper(const Problem& problem);

    /// Fills in the event of each room (or -1); `rooms` has an entry for every room of the problem.
    /// Returns the number of events that were published in this period and are in another room.
    /// Returns nothing when there are not enough rooms; `rooms` is then undefined.
    std::optional<int> match(int period, std::span<const int> events, std::span<int> rooms);

private:
    int chargeOf(int event, int room) const;
    bool addAlongCheapestPath(int event, std::span<int> rooms);
    void reach(int room, int charge, int before);

    const Problem& problem_;
    int period_ = 0;

    // Temporary arrays that keep their memory from period to period.
    std::vector<int> waiting_;    ///< events that are not in their published room
    std::vector<int> charge_;     ///< indexed by room: the least charge with which the room was reached
    std::vector<int> before_;     ///< indexed by room: the room whose event would come here; -1: the event that looks for a room
    std::vector<int> queue_;      ///< rooms whose events have to look for another room
};

}    // namespace timetabling::enrolment
