#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <ferry/connector/collective/shape/CollectiveOptions.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

// Displacements of collectives: the index of each rank's first element in the caller's memory. The elements travel side by side. Only the
// rank that gives displacements copies them from or to their places.

namespace ferry::detail {

/// Describes the fault of blocks that are to leave from their places; empty: no fault. Each rank needs a count and a place within the
/// elements. call: the name of the collective.
std::string faultOfPlaces(const char* call, std::span<const int> counts, std::span<const int> places, int rankCount,
                          std::size_t elementCount);
/// Errors: UsageError when blocks that have come lie over each other, or there is not one place for each.
void requirePlaces(const char* call, std::span<const int> counts, std::span<const int> places);
/// Errors: UsageError when memory of this many elements does not reach the end of the last block.
void requirePlacesWithin(const char* call, std::span<const int> counts, std::span<const int> places, std::size_t elementCount);
/// The number of elements from the first one to the end of the last block.
std::size_t reachOf(std::span<const int> counts, std::span<const int> places);
/// Sets the displacements that a caller has asked for, if any.
void tellDisplacements(std::vector<int>* displacementsOut, std::span<const int> places);

/// Blocks that leave from their places.
template <class T>
struct SentBlocks {
    std::vector<T> elements{};    ///< side by side
    std::string fault{};          ///< empty: no fault
};
template <class T>
SentBlocks<T> blocksFrom(const char* call, std::span<const T> elements, std::span<const int> counts, std::span<const int> places,
                         int rankCount) {
    SentBlocks<T> blocks;
    blocks.fault = faultOfPlaces(call, counts, places, rankCount, elements.size());
    if (!blocks.fault.empty()) return blocks;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto block = elements.subspan(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(counts[i]));
        blocks.elements.insert(blocks.elements.end(), block.begin(), block.end());
    }
    return blocks;
}

/// Moves blocks that have come side by side to their places. Returns the memory from its first element to the end of the last block.
/// Elements between the blocks stay as they are.
template <class T>
std::span<T> moveToPlaces(const char* call, const std::vector<T>& elements, std::span<const int> counts, std::span<const int> places,
                          const Into<T>& into) {
    requirePlaces(call, counts, places);
    const std::size_t reach = reachOf(counts, places);
    const std::span<T> memory = into.memoryFor(reach);
    requirePlacesWithin(call, counts, places, memory.size());
    auto block = elements.begin();
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::copy_n(block, counts[i], memory.begin() + places[i]);
        block += counts[i];
    }
    return memory.first(reach);
}

/// Runs a collective that gives neighbouring elements and their counts, and moves the blocks to their places. run(into, countsOut).
/// Errors: those of run(), and those of moveToPlaces() after it, so that no other rank waits.
template <class T, class Run>
std::span<T> intoPlaces(const char* call, std::span<const int> places, const Into<T>& into, std::vector<int>* countsOut, const Run& run) {
    std::vector<T> elements;
    std::vector<int> counts;
    run(resized(elements), &counts);
    if (countsOut != nullptr) *countsOut = counts;
    return moveToPlaces(call, elements, counts, places, into);
}

}    // namespace ferry::detail
