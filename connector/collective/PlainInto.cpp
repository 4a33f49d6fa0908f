#include <ferry/connector/collective/PlainInto.hpp>

#include <numeric>

#include <fmt/format.h>

#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>

namespace ferry::detail {

std::string tooSmall(std::size_t elementCount, std::size_t capacity, const Envelope& envelope) {
    return fmt::format("{} gives {} elements, but the memory for the result holds {}", describeCall(envelope.key), elementCount, capacity);
}

void requireRoom(std::size_t elementCount, std::size_t capacity, const Envelope& envelope) {
    if (elementCount > capacity) throw UsageError(tooSmall(elementCount, capacity, envelope));
}

void requireCounts(std::span<const int> given, std::span<const std::size_t> found, int ownRank, const Envelope& envelope) {
    if (given.empty()) return;
    if (given.size() != found.size())
        throw UsageError(
            fmt::format("{} needs a count for each of the {} ranks, not {}", describeCall(envelope.key), found.size(), given.size()));
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
        if (given[rank] >= 0 && static_cast<std::size_t>(given[rank]) == found[rank]) continue;
        throw CollectiveMismatch({ownRank, fmt::format("{} with {} elements from rank {}", describeCall(envelope.key), given[rank], rank)},
                                 {static_cast<int>(rank), fmt::format("{} with {} elements", describeCall(envelope.key), found[rank])});
    }
}

void requireSameCount(std::size_t own, int ownRank, std::size_t rootCount, int root, const Envelope& envelope) {
    if (own == rootCount) return;
    const std::string call = describeCall(envelope.key);
    throw CollectiveMismatch({ownRank, fmt::format("{} of {} elements", call, own)},
                             {root, fmt::format("{} of {} elements", call, rootCount)});
}

std::string faultOf(std::span<const int> counts, int rankCount, std::size_t elementCount, const Envelope& envelope) {
    const std::string call = describeCall(envelope.key);
    if (counts.empty()) {
        const bool isEven = elementCount % static_cast<std::size_t>(rankCount) == 0;
        return isEven ? "" : fmt::format("{} without counts cannot divide {} elements among {} ranks", call, elementCount, rankCount);
    }
    if (counts.size() != static_cast<std::size_t>(rankCount))
        return fmt::format("{} needs a count for each of the {} ranks, not {}", call, rankCount, counts.size());
    std::size_t total = 0;
    for (const int count : counts) {
        if (count < 0) return fmt::format("{} cannot move {} elements", call, count);
        total += static_cast<std::size_t>(count);
    }
    return total == elementCount ? "" : fmt::format("{} has counts of {} elements in all, but data of {}", call, total, elementCount);
}

void setSizes(std::vector<std::size_t>& sizes, std::span<const int> counts, int rankCount, std::size_t elementCount) {
    if (counts.empty()) {
        sizes.assign(static_cast<std::size_t>(rankCount), elementCount / static_cast<std::size_t>(rankCount));
    } else {
        sizes.assign(counts.begin(), counts.end());
    }
}

void tellCounts(std::vector<int>* countsOut, std::span<const std::size_t> found) {
    if (countsOut == nullptr) return;
    countsOut->clear();
    for (const std::size_t count : found) countsOut->push_back(static_cast<int>(count));
}

}    // namespace ferry::detail

namespace ferry {

std::vector<int> displacementsOf(std::span<const int> counts) {
    std::vector<int> displacements(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
    return displacements;
}

}    // namespace ferry
