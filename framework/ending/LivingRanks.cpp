#include <ferry/framework/ending/LivingRanks.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>

#include <fmt/format.h>

#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

LivingRanks LivingRanks::of(const Departures& departures, int size) {
    std::vector<std::int32_t> lost;
    for (int rank = 0; departures.hasLosses() && rank < size; ++rank) {
        if (departures.isLost(rank)) lost.push_back(rank);
    }
    return LivingRanks(size, std::move(lost));
}

LivingRanks LivingRanks::read(IntReader& in, int size, int reader, int sender) {
    std::vector<std::int32_t> lost;
    in >> lost;
    const bool isAscending = std::adjacent_find(lost.begin(), lost.end(), std::greater_equal<>()) == lost.end();
    const bool isInRange = lost.empty() || (lost.front() >= 0 && lost.back() < size);
    const bool isOfOthers = !std::binary_search(lost.begin(), lost.end(), reader);
    if (!isAscending || !isInRange || !isOfOthers || reader >= size)
        throw SerializationError(
            fmt::format("expected a list of lost ranks of {}, without rank {}; found another one from rank {}", size, reader, sender));
    return LivingRanks(size, std::move(lost));
}

bool LivingRanks::isLost(int rank) const noexcept { return std::binary_search(lost_.begin(), lost_.end(), rank); }

TreePlace LivingRanks::placeOf(int rank) const {
    TreePlace place = placeInTree(indexOf(rank), count(), 0);
    if (place.parent >= 0) place.parent = rankOf(place.parent);
    for (int& child : place.children) child = rankOf(child);
    return place;
}

std::vector<int> LivingRanks::from(int rank) const {
    const int index = indexOf(rank);
    const int width = index == 0 ? count() : std::min(index & -index, count() - index);
    std::vector<int> ranks(static_cast<std::size_t>(width));
    for (int i = 0; i < width; ++i) ranks[static_cast<std::size_t>(i)] = rankOf(index + i);
    return ranks;
}

int LivingRanks::rankOf(int index) const noexcept {
    int rank = index;
    for (const int lost : lost_) {
        if (lost > rank) break;
        ++rank;
    }
    return rank;
}

int LivingRanks::indexOf(int rank) const noexcept {
    return rank - static_cast<int>(std::lower_bound(lost_.begin(), lost_.end(), rank) - lost_.begin());
}

}    // namespace ferry::detail
