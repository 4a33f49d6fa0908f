#include <ferry/apps/timetabling/enrolment/search/RoomKeeper.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace timetabling::enrolment {

namespace {

constexpr int NotReached = std::numeric_limits<int>::max();

}    // namespace

RoomKeeper::RoomKeeper(const Problem& problem)
    : problem_(problem),
      charge_(static_cast<std::size_t>(problem.roomCount())),
      before_(charge_.size()) {}

std::optional<int> RoomKeeper::match(int period, std::span<const int> events, std::span<int> rooms) {
    period_ = period;
    std::fill(rooms.begin(), rooms.end(), -1);
    waiting_.clear();
    for (const int event : events) {
        const Place& home = problem_.published()->placeOf(event);
        const bool isHome = home.period == period && home.room >= 0 && home.room < problem_.roomCount() &&
                            problem_.isSuitable(event, home.room) && rooms[static_cast<std::size_t>(home.room)] < 0;
        if (isHome) {
            rooms[static_cast<std::size_t>(home.room)] = event;
        } else {
            waiting_.push_back(event);
        }
    }
    for (const int event : waiting_) {
        if (!addAlongCheapestPath(event, rooms)) return std::nullopt;
    }
    int charge = 0;
    for (std::size_t room = 0; room < rooms.size(); ++room) {
        if (rooms[room] >= 0) charge += chargeOf(rooms[room], static_cast<int>(room));
    }
    return charge;
}

int RoomKeeper::chargeOf(int event, int room) const { return problem_.published()->displacementAt(event, {period_, room}).otherRoom; }

/// Adds the event along a path of least charge. Before and after the call, the events with rooms have rooms with the least total charge.
bool RoomKeeper::addAlongCheapestPath(int event, std::span<int> rooms) {
    std::fill(charge_.begin(), charge_.end(), NotReached);
    queue_.clear();
    for (const int room : problem_.suitableRooms(event)) reach(room, chargeOf(event, room), -1);
    int last = -1;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const int room = queue_[i];
        const int charge = charge_[static_cast<std::size_t>(room)];
        const int occupant = rooms[static_cast<std::size_t>(room)];
        if (occupant < 0) {
            if (last < 0 || charge < charge_[static_cast<std::size_t>(last)]) last = room;
            if (charge == 0) break;    // no room is cheaper
            continue;
        }
        const int freed = chargeOf(occupant, room);
        for (const int other : problem_.suitableRooms(occupant)) {
            if (other != room) reach(other, charge - freed + chargeOf(occupant, other), room);
        }
    }
    if (last < 0) return false;
    for (int room = last; room >= 0; room = before_[static_cast<std::size_t>(room)]) {
        const int from = before_[static_cast<std::size_t>(room)];
        rooms[static_cast<std::size_t>(room)] = from < 0 ? event : rooms[static_cast<std::size_t>(from)];
    }
    return true;
}

/// Notes a cheaper path to the room.
void RoomKeeper::reach(int room, int charge, int before) {
    const auto at = static_cast<std::size_t>(room);
    if (charge >= charge_[at]) return;
    charge_[at] = charge;
    before_[at] = before;
    queue_.push_back(room);
}

}    // namespace timetabling::enrolment
