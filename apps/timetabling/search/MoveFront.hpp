#pragma once

#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>

namespace timetabling {

/// A feasible timetable with its number of moves.
struct FrontPoint {
    int moved = 0;
    std::int64_t cost = 0;
    Slots slots;
};

/// The cheapest timetable for each number of moves, up to a greatest number.
class MoveFront {
public:
    explicit MoveFront(int mostMoved = 0);

    int mostMoved() const { return static_cast<int>(costs_.size()) - 1; }
    /// Whether no timetable with at most `moved` moves is as cheap.
    bool isBetter(int moved, std::int64_t cost) const {
        return moved >= 0 && moved <= mostMoved() && cost < costs_[static_cast<std::size_t>(moved)];
    }
    /// Takes the timetable if it is better.
    void offer(int moved, std::int64_t cost, const Slots& slots);
    void offer(const FrontPoint& point) { offer(point.moved, point.cost, point.slots); }

    /// Returns the timetables, the fewest moves first. Each is cheaper than the one before.
    std::vector<FrontPoint> points() const;
    /// Returns the cheapest timetable with at most `moved` moves; null when there is none.
    const FrontPoint* within(int moved) const;

private:
    std::vector<std::int64_t> costs_;    ///< index: n moves; the least cost with at most n moves
    std::vector<FrontPoint> points_;     ///< indexed by moves; without slots: none
};

}    // namespace timetabling
