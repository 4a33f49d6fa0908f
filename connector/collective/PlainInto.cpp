#include <ferry/connector/collective/PlainInto.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>

namespace ferry::detail {

namespace {

constexpr std::size_t mostInInt = std::numeric_limits<int>::max();

}    // namespace

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

void tellCounts(std::vector<int>* countsOut, std::span<const std::size_t> found, const Envelope& envelope) {
    if (countsOut == nullptr) return;
    const auto isLong = [](std::size_t count) { return count > mostInInt; };
    if (const auto first = std::find_if(found.begin(), found.end(), isLong); first != found.end())
        throw UsageError(fmt::format(
            "{} expected at most {} elements of each rank, as counts and displacements are ints, and found {} of rank {}: call it "
            "without .countsOut, .displacementsOut and displacements",
            describeCall(envelope.key), mostInInt, *first, first - found.begin()));
    countsOut->assign(found.begin(), found.end());
}

}    // namespace ferry::detail

namespace ferry {

std::vector<int> displacementsOf(std::span<const int> counts) {
    std::vector<int> displacements;
    displacements.reserve(counts.size());
    std::int64_t place = 0;
    for (const int count : counts) {
        if (place > static_cast<std::int64_t>(detail::mostInInt))
            throw UsageError(
                fmt::format("displacementsOf expected places up to {}, as they are ints, and found that the elements of rank {} begin at "
                            "index {}: add the counts up as std::size_t, and call collectives without .displacementsOut",
                            detail::mostInInt, displacements.size(), place));
        displacements.push_back(static_cast<int>(place));
        place += count;
    }
    return displacements;
}

}    // namespace ferry
