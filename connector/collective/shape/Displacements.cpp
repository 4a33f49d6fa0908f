#include <ferry/connector/collective/shape/Displacements.hpp>

#include <numeric>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

std::size_t endOf(int count, int place) { return static_cast<std::size_t>(place) + static_cast<std::size_t>(count); }

}    // namespace

std::string faultOfPlaces(const char* call, std::span<const int> counts, std::span<const int> places, int rankCount,
                          std::size_t elementCount) {
    const auto needed = static_cast<std::size_t>(rankCount);
    if (counts.size() != needed || places.size() != needed)
        return fmt::format(
            "{} with displacements needs a count and a displacement for each of the {} ranks, not {} counts and {} displacements", call,
            rankCount, counts.size(), places.size());
    for (std::size_t i = 0; i < needed; ++i) {
        if (counts[i] < 0) return fmt::format("{} cannot move {} elements", call, counts[i]);
        if (places[i] < 0 || endOf(counts[i], places[i]) > elementCount)
            return fmt::format("{} takes {} elements for rank {} from index {} on, but there are {} elements", call, counts[i], i,
                               places[i], elementCount);
    }
    return "";
}

void requirePlaces(const char* call, std::span<const int> counts, std::span<const int> places) {
    if (places.size() != counts.size())
        throw UsageError(fmt::format("{} needs a displacement for each of the {} ranks, not {}", call, counts.size(), places.size()));
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [counts](std::size_t rank) { return counts[rank] == 0; });
    std::sort(order.begin(), order.end(), [places](std::size_t one, std::size_t other) { return places[one] < places[other]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const std::size_t rank = order[i];
        if (places[rank] < 0) throw UsageError(fmt::format("{} cannot put the elements of rank {} at index {}", call, rank, places[rank]));
        if (i != 0 && endOf(counts[order[i - 1]], places[order[i - 1]]) > static_cast<std::size_t>(places[rank]))
            throw UsageError(fmt::format("{} would put the {} elements of rank {} at index {} over those of rank {} at index {}", call,
                                         counts[rank], rank, places[rank], order[i - 1], places[order[i - 1]]));
    }
}

void requirePlacesWithin(const char* call, std::span<const int> counts, std::span<const int> places, std::size_t elementCount) {
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        if (counts[rank] != 0 && endOf(counts[rank], places[rank]) > elementCount)
            throw UsageError(fmt::format("{} puts the {} elements of rank {} at index {}, but there is memory for {} elements", call,
                                         counts[rank], rank, places[rank], elementCount));
    }
}

std::size_t reachOf(std::span<const int> counts, std::span<const int> places) {
    std::size_t reach = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
        if (counts[rank] != 0) reach = std::max(reach, endOf(counts[rank], places[rank]));
    }
    return reach;
}

void tellDisplacements(std::vector<int>* displacementsOut, std::span<const int> places) {
    if (displacementsOut != nullptr) displacementsOut->assign(places.begin(), places.end());
}

}    // namespace ferry::detail
