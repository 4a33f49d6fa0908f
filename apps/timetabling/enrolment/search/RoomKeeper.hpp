#pragma once

#include <optional>
#include <span>
#include <vector>

#include <ferry/apps/timetabling/enrolment/model/Problem.hpp>

namespace timetabling::enrolment {

/// Gives rooms to all events of a period so that as few as possible are not in the room in which they were published.
///
/// Ownership: refers to the problem, which has a published timetable.
class RoomKeeper {
public:
    explicit RoomKeeper(const Problem& problem);

    /// Fills in who is in which room (an event or -1), of as many rooms as there are. Tells how many events that were published in this
    /// period are in another room; none, with the rooms undefined, when there are not rooms for all.
    std::optional<int> match(int period, std::span<const int> events, std::span<int> rooms);

private:
    int chargeOf(int event, int room) const;
    bool addAlongCheapestPath(int event, std::span<int> rooms);
    void reach(int room, int charge, int before);

    const Problem& problem_;
    int period_ = 0;

    // Scratch that keeps its memory from period to period.
    std::vector<int> waiting_;    ///< events that are not in the room in which they were published
    std::vector<int> charge_;     ///< by room: the least for which it was reached
    std::vector<int> before_;     ///< by room: the one whose event would come here; -1: the event that looks for a room
    std::vector<int> queue_;      ///< rooms whose events have to look for another one
};

}    // namespace timetabling::enrolment
