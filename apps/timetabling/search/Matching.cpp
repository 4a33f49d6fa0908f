#include <ferry/apps/timetabling/search/Matching.hpp>

#include <algorithm>
#include <utility>

namespace timetabling {

bool Matching::add(int item, std::span<const int> places) {
    const auto at = static_cast<std::size_t>(item);
    if (at >= places_.size()) places_.resize(at + 1);
    places_[at].assign(places.begin(), places.end());
    item_ = item;
    ++search_;
    return findPlace(item);
}

int Matching::placeOf(int item) const {
    const auto place = std::find(itemIn_.begin(), itemIn_.end(), item);
    return place == itemIn_.end() ? -1 : static_cast<int>(place - itemIn_.begin());
}

std::vector<int> Matching::rivals() const {
    std::vector<int> rivals{item_};
    for (std::size_t place = 0; place < itemIn_.size(); ++place) {
        if (seen_[place] == search_) rivals.push_back(itemIn_[place]);
    }
    std::sort(rivals.begin(), rivals.end());
    return rivals;
}

bool Matching::findPlace(int item) {
    for (const int place : places_[static_cast<std::size_t>(item)]) {
        const auto at = static_cast<std::size_t>(place);
        if (std::exchange(seen_[at], search_) == search_) continue;
        if (itemIn_[at] >= 0 && !findPlace(itemIn_[at])) continue;
        itemIn_[at] = item;
        return true;
    }
    return false;
}

}    // namespace timetabling
