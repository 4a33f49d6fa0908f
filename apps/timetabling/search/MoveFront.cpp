#include <ferry/apps/timetabling/search/MoveFront.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

namespace timetabling {

MoveFront::MoveFront(int mostMoved)
    : costs_(static_cast<std::size_t>(std::max(mostMoved, 0)) + 1, std::numeric_limits<std::int64_t>::max()),
      points_(costs_.size()) {}

void MoveFront::offer(int moved, std::int64_t cost, const Slots& slots) {
    if (!isBetter(moved, cost)) return;
    const auto at = static_cast<std::size_t>(moved);
    points_[at] = {moved, cost, slots};
    for (std::size_t i = at; i < costs_.size() && costs_[i] >= cost; ++i) {
        costs_[i] = cost;
        if (i > at) points_[i].slots.clear();    // the timetable with fewer moves is as cheap
    }
}

std::vector<FrontPoint> MoveFront::points() const {
    std::vector<FrontPoint> result;
    std::copy_if(points_.begin(), points_.end(), std::back_inserter(result), [](const FrontPoint& point) { return !point.slots.empty(); });
    return result;
}

const FrontPoint* MoveFront::within(int moved) const {
    for (int i = std::min(moved, mostMoved()); i >= 0; --i) {
        if (!points_[static_cast<std::size_t>(i)].slots.empty()) return &points_[static_cast<std::size_t>(i)];
    }
    return nullptr;
}

}    // namespace timetabling
