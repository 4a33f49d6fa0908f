#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/PlainInto.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/course/Routine.hpp>
#include <ferry/connector/collective/course/StartedCollective.hpp>
#include <ferry/connector/collective/shape/CollectiveOptions.hpp>
#include <ferry/connector/collective/shape/Displacements.hpp>
#include <ferry/connector/collective/started/StartedRoutines.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

// Started collectives of plain elements into memory of the caller. Such a collective owns the elements that its rank gives. It keeps those
// that come, and get() alone moves them to the memory. So the memory stays as it is when get() throws, or is never called.

namespace ferry::detail {

/// Errors: UsageError for a deadline in the options of a started collective.
void requireNoDeadline(Deadline deadline, const char* call);

template <class Elements>
using ElementIn = std::ranges::range_value_t<std::remove_cvref_t<Elements>>;

/// The elements of a sequence, for a collective that owns them. A std::vector that is handed over is not copied.
template <class Elements>
auto ownedElements(Elements&& elements) {
    using Element = ElementIn<Elements>;
    if constexpr (std::is_same_v<Elements, std::vector<Element>>) {
        return std::vector<Element>(std::move(elements));
    } else {
        return vectorOf(spanOf(elements));
    }
}

/// Copies what the options of a collective lend for its call alone.
inline std::vector<int> listOf(std::span<const int> numbers) { return {numbers.begin(), numbers.end()}; }

/// Moves the parts of all ranks to the memory of the caller.
template <class T>
struct JoinParts {
    const char* call;    ///< the name of the collective
    int ownRank;
    std::vector<int> counts;    ///< number of elements of each rank; empty: not known
    std::vector<int> displacements;
    Into<T> into;
    std::vector<int>* countsOut;
    std::vector<int>* displacementsOut;

    /// parts: one of each rank. There are none where nothing is to come.
    std::span<T> operator()(const std::vector<std::vector<T>>& parts, const Envelope& envelope) const {
        std::vector<int> found;
        if (displacements.empty() || parts.empty()) {
            const bool areAsked = countsOut != nullptr || displacementsOut != nullptr;    // else a count need not be an int
            Target<T> target(into, envelope);
            const std::span<T> filled = joinInto(target, parts, counts, areAsked ? &found : nullptr, ownRank, envelope);
            tell(found, displacementsOut != nullptr ? displacementsOf(found) : std::vector<int>());
            return filled;
        }
        std::vector<T> elements;
        Target<T> target(resized(elements), envelope);
        joinInto(target, parts, counts, &found, ownRank, envelope);
        const std::span<T> filled = moveToPlaces(call, elements, found, displacements, into);
        tell(found, displacements);
        return filled;
    }

    void tell(const std::vector<int>& found, const std::vector<int>& places) const {
        if (countsOut != nullptr) *countsOut = found;
        tellDisplacements(displacementsOut, places);
    }
};

/// Joins by the options of gather or allGather.
template <class T, template <class> class Options>
JoinParts<T> joinParts(const char* call, int ownRank, const Options<T>& options) {
    return {call,         ownRank,           listOf(options.counts),  listOf(options.displacements),
            options.into, options.countsOut, options.displacementsOut};
}

/// Copies the elements that have come to the memory of the caller.
template <class T>
struct FillMemory {
    Into<T> into;
    bool isTarget = true;    ///< whether the elements are for this rank

    std::span<T> operator()(const std::vector<T>& elements, const Envelope& envelope) const {
        return isTarget ? Target<T>(into, envelope).fill(elements) : std::span<T>();
    }
};

/// Copies the root's elements to the memory of another rank, which must have room for as many.
template <class T>
struct FillAsOnRoot {
    std::span<T> memory;
    int ownRank;
    int root;

    void operator()(const std::vector<T>& elements, const Envelope& envelope) const {
        if (ownRank == root) return;
        requireSameCount(memory.size(), ownRank, elements.size(), root, envelope);
        copyInto(memory, elements);
    }
};

/// Divides neighbouring elements, or the blocks at their displacements, into one part for each rank. The outcome is a UsageError for counts
/// that do not fit.
template <class T>
Outcome<std::vector<std::vector<T>>> partsForRanks(StartedCollective& own, const char* call, const std::vector<T>& elements,
                                                   const std::vector<int>& counts, const std::vector<int>& displacements) {
    return Outcome<std::vector<std::vector<T>>>::of([&] {
        const auto divided = [&](std::span<const T> neighbours, std::string fault) {
            if (fault.empty()) fault = faultOf(counts, own.size(), neighbours.size(), own.envelope());
            if (!fault.empty()) throw UsageError(fault);
            std::vector<std::size_t> sizes;
            setSizes(sizes, counts, own.size(), neighbours.size());
            return partsOf(neighbours, sizes);
        };
        if (displacements.empty()) return divided(elements, "");
        const SentBlocks<T> blocks = blocksFrom(call, std::span<const T>(elements), counts, displacements, own.size());
        return divided(blocks.elements, blocks.fault);
    });
}

template <class T>
Routine<std::vector<T>> startedScatterOfParts(StartedCollective& own, std::vector<T> elements, std::vector<int> counts,
                                              std::vector<int> displacements, int root) {
    Outcome<std::vector<std::vector<T>>> parts = own.rank() == root ? partsForRanks(own, "scatter", elements, counts, displacements)
                                                                    : Outcome<std::vector<std::vector<T>>>(std::vector<std::vector<T>>());
    Routine<std::vector<T>> scattered = startedScatter(own, std::move(parts), root);
    std::vector<T> mine = co_await scattered;
    co_return std::move(mine);
}

template <class T>
Routine<std::vector<std::vector<T>>> startedAllToAllOfParts(StartedCollective& own, std::vector<T> elements, std::vector<int> counts,
                                                            std::vector<int> displacements) {
    Routine<std::vector<std::vector<T>>> exchanged = startedAllToAll(own, partsForRanks(own, "allToAll", elements, counts, displacements));
    std::vector<std::vector<T>> parts = co_await exchanged;
    co_return std::move(parts);
}

}    // namespace ferry::detail
