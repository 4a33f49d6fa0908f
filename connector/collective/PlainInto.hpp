#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <ferry/connector/collective/AllToAll.hpp>
#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/host/HostCollectives.hpp>
#include <ferry/connector/collective/host/PlainBytes.hpp>
#include <ferry/connector/collective/host/PlainCalls.hpp>
#include <ferry/connector/collective/host/PlainData.hpp>
#include <ferry/connector/collective/shape/CollectiveOptions.hpp>
#include <ferry/connector/collective/shape/Displacements.hpp>
#include <ferry/connector/collective/shape/OptionsOfBools.hpp>
#include <ferry/connector/message/letter/SequenceForm.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/algorithms.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

// The collectives of plain elements into memory of the caller. On ranks with a board nothing is allocated.

namespace ferry::detail {

/// A vector or a span of plain elements: the ranges that collectives divide and join by value. Other ranges, such as a std::string, are
/// values.
template <class Range>
inline constexpr bool isFlatRange = false;
template <PlainData T, class Allocator>
inline constexpr bool isFlatRange<std::vector<T, Allocator>> = PlainRange<std::vector<T, Allocator>>;
template <PlainData T, std::size_t extent>
inline constexpr bool isFlatRange<std::span<T, extent>> = true;
template <PlainData T, std::size_t extent>
inline constexpr bool isFlatRange<std::span<const T, extent>> = true;
template <class Range>
concept FlatRange = isFlatRange<Range> && !BoolRange<Range>;

/// Plain elements side by side that a collective with options takes.
template <class Range>
concept ElementRange = PlainRange<Range> && !BoolRange<Range>;

/// A sequence that collectives join by value like a std::vector: a std::span, a C array, a std::vector with another allocator. Its elements
/// arrive as those of a std::vector.
template <class Range>
inline constexpr bool isJoined = false;
template <class T, std::size_t extent>
inline constexpr bool isJoined<std::span<T, extent>> = true;
template <class T, std::size_t extent>
inline constexpr bool isJoined<T[extent]> = !std::is_array_v<T>;
template <class T, class Allocator>
inline constexpr bool isJoined<std::vector<T, Allocator>> = !std::is_same_v<Allocator, std::allocator<T>> && !std::is_same_v<T, bool>;
template <class Range>
concept Joined = isJoined<Range>;

/// The result of gather and allGather for values of type T.
template <class T>
struct GatheredOf {
    using Type = std::vector<T>;
};
template <Joined Range>
struct GatheredOf<Range> {
    using Type = std::vector<std::ranges::range_value_t<Range>>;
};
template <class T>
using GatheredElements = typename GatheredOf<T>::Type;

/// A sequence from which scatter and allToAll take one element for each rank.
template <class Range>
concept OnePerRank = std::ranges::contiguous_range<const Range> && std::ranges::sized_range<const Range>;

/// The elements of a sequence in a std::vector.
template <class Range>
auto vectorFrom(const Range& elements) {
    return std::vector<std::ranges::range_value_t<const Range>>(std::ranges::begin(elements), std::ranges::end(elements));
}

template <class Range>
auto spanOf(const Range& elements) {
    return std::span<const std::ranges::range_value_t<Range>>(std::ranges::data(elements), std::ranges::size(elements));
}

/// Describes in words that the memory of the caller is too small.
std::string tooSmall(std::size_t elementCount, std::size_t capacity, const Envelope& envelope);
/// Errors: UsageError when elementCount is more than capacity.
void requireRoom(std::size_t elementCount, std::size_t capacity, const Envelope& envelope);
/// Requires that the counts that were given, if any, are the counts of the ranks. Errors: CollectiveMismatch; UsageError when there is not
/// one count for each rank.
void requireCounts(std::span<const int> given, std::span<const std::size_t> found, int ownRank, const Envelope& envelope);
/// Errors: CollectiveMismatch when own differs from rootCount.
void requireSameCount(std::size_t own, int ownRank, std::size_t rootCount, int root, const Envelope& envelope);
/// Describes the fault of counts; empty: no fault. There must be one count for each rank, and their sum must be elementCount. No counts
/// mean blocks of one length.
std::string faultOf(std::span<const int> counts, int rankCount, std::size_t elementCount, const Envelope& envelope);
/// Sets the sizes of the ranks' blocks. The counts must have no fault (faultOf).
void setSizes(std::vector<std::size_t>& sizes, std::span<const int> counts, int rankCount, std::size_t elementCount);
/// Sets the counts that a caller has asked for, if any. Errors: UsageError for a count that is no int.
void tellCounts(std::vector<int>* countsOut, std::span<const std::size_t> found, const Envelope& envelope);

/// Divides the elements of all ranks, which lie side by side, into one vector for each rank.
template <class T>
std::vector<std::vector<T>> partsOf(std::span<const T> elements, std::span<const std::size_t> counts) {
    std::vector<std::vector<T>> parts;
    for (const std::size_t count : counts) {
        parts.push_back({elements.begin(), elements.begin() + static_cast<std::ptrdiff_t>(count)});
        elements = elements.subspan(count);
    }
    return parts;
}

/// Copies the fields of elements that have come. Members that are not listed stay as they are.
template <class T>
void takeFields(std::span<T> target, const T* source) {
    for (std::size_t i = 0; i < target.size(); ++i) copyFields(reinterpret_cast<std::byte*>(std::addressof(target[i])), source[i]);
}

/// Copies elements that have come by letters. Members that are not listed stay as they are.
template <class T>
void copyInto(std::span<T> target, const std::vector<T>& elements) {
    if constexpr (hasGaps<T>) {
        takeFields(target, elements.data());
    } else {
        std::copy(elements.begin(), elements.end(), target.begin());
    }
}

/// Memory of the caller, and the number of elements that have been filled. Elements with members that are not listed come to other memory
/// first; filled() then takes their fields.
template <class T>
class Target {
public:
    Target(const Into<T>& into, const Envelope& envelope) noexcept : into_(into), envelope_(envelope) {}

    void* room(std::size_t count) {
        const std::span<T> memory = into_.memoryFor(count);
        requireRoom(count, memory.size(), envelope_);
        filled_ = memory.first(count);
        if constexpr (hasUnlisted<T>()) {
            staging_.resize(count);
            return staging_.data();
        } else {
            return filled_.data();
        }
    }
    void* room(std::span<const std::size_t> counts) { return room(sumOf(counts)); }
    std::span<T> fill(const std::vector<T>& elements) {
        const std::span<T> memory = into_.memoryFor(elements.size());
        requireRoom(elements.size(), memory.size(), envelope_);
        filled_ = memory.first(elements.size());
        copyInto(filled_, elements);
        return filled_;
    }
    std::span<T> filled() const {
        if constexpr (hasUnlisted<T>()) takeFields(filled_, staging_.data());
        return filled_;
    }

private:
    Into<T> into_;
    Envelope envelope_;
    std::span<T> filled_{};
    std::vector<T> staging_{};
};

template <class T>
std::vector<T> vectorOf(std::span<const T> elements) {
    return std::vector<T>(elements.begin(), elements.end());
}

/// Joins the parts that ranks have sent by letters, one part from each rank. There are no parts where nothing is to come.
template <class T>
std::span<T> joinInto(Target<T>& target, const std::vector<std::vector<T>>& parts, std::span<const int> givenCounts,
                      std::vector<int>* countsOut, int ownRank, const Envelope& envelope) {
    std::vector<T> all;
    std::vector<std::size_t> counts;
    for (const std::vector<T>& part : parts) {
        counts.push_back(part.size());
        all.insert(all.end(), part.begin(), part.end());
    }
    if (!parts.empty()) requireCounts(givenCounts, counts, ownRank, envelope);
    tellCounts(countsOut, counts, envelope);
    return target.fill(all);
}

/// Returns what make() makes for this rank's part of a collective. Without memory for that, a rank with a board counts the collective all
/// the same, so that its later collectives are those of the other ranks.
template <class T, class Make>
auto prepared(Collectives& collectives, const Envelope& envelope, const Make& make) {
    if (collectives.hostBoard() == nullptr) return make();
    return HostCollectives(collectives, envelope, plainTypeOf<std::vector<T>>()).prepare(make);
}

template <class T>
void broadcastInto(Collectives& collectives, std::span<T> elements, int root) {
    using Form = typename ValueForm<std::vector<T>>::Type;
    collectives.perform(Operation::Broadcast, root, namedValueKey<Form>(), [&](const Envelope& envelope) {
        const int ownRank = collectives.mailbox().transport().rank();
        const bool isRoot = ownRank == root;
        auto staging =
            prepared<T>(collectives, envelope, [&] { return std::vector<T>(hasUnlisted<T>() && !isRoot ? elements.size() : 0); });
        const auto room = [&](std::size_t count) -> void* {
            requireSameCount(elements.size(), ownRank, count, root, envelope);
            return staging.empty() ? elements.data() : staging.data();
        };
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<Form>());
            const auto own = host.prepare([&] { return SentBytes<T>(isRoot ? elements : std::span<T>()); });
            if (host.broadcast(own.data(), own.size(), root, std::ref(room))) {
                if (!staging.empty()) takeFields(elements, staging.data());
                return;
            }
        }
        std::vector<T> own = vectorOf<T>(elements);
        const std::vector<T> values = broadcastByLetters(collectives, envelope, own, root);
        room(values.size());
        copyInto(elements, values);
    });
}

template <class T>
std::span<T> gatherInto(Collectives& collectives, std::span<const T> own, const GatherOptions<T>& options) {
    return collectives.perform(Operation::Gather, options.root, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const int ownRank = collectives.mailbox().transport().rank();
        Target<T> target(options.into, envelope);
        tellCounts(options.countsOut, {}, envelope);    // on the root the room sets them
        const auto room = [&](std::span<const std::size_t> counts) {
            requireCounts(options.counts, counts, ownRank, envelope);
            tellCounts(options.countsOut, counts, envelope);
            return target.room(counts);
        };
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            const auto sent = host.prepare([&] { return SentBytes<T>(own); });
            host.gather(sent.data(), sent.size(), options.root, std::ref(room));
            return target.filled();
        }
        return joinInto(target, gatherByLetters(collectives, envelope, vectorOf(own), options.root), options.counts, options.countsOut,
                        ownRank, envelope);
    });
}

template <class T>
std::span<T> allGatherInto(Collectives& collectives, std::span<const T> own, const AllGatherOptions<T>& options) {
    return collectives.perform(Operation::AllGather, 0, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const int ownRank = collectives.mailbox().transport().rank();
        Target<T> target(options.into, envelope);
        const auto room = [&](std::span<const std::size_t> counts) {
            requireCounts(options.counts, counts, ownRank, envelope);
            tellCounts(options.countsOut, counts, envelope);
            return target.room(counts);
        };
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            const auto sent = host.prepare([&] { return SentBytes<T>(own); });
            if (host.allGather(sent.data(), sent.size(), std::ref(room))) return target.filled();
        }
        return joinInto(target, allGatherByLetters(collectives, envelope, vectorOf(own)), options.counts, options.countsOut, ownRank,
                        envelope);
    });
}

template <class T>
std::span<T> scatterInto(Collectives& collectives, std::span<const T> elements, const ScatterOptions<T>& options,
                         const std::string& knownFault = "") {
    return collectives.perform(Operation::Scatter, options.root, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const Transport& transport = collectives.mailbox().transport();
        const bool isRoot = transport.rank() == options.root;
        std::string fault;
        std::vector<std::size_t> counts;
        prepared<T>(collectives, envelope, [&] {
            if (!isRoot) return;
            fault = !knownFault.empty() ? knownFault : faultOf(options.counts, transport.size(), elements.size(), envelope);
            if (fault.empty()) setSizes(counts, options.counts, transport.size(), elements.size());
        });
        Target<T> target(options.into, envelope);
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            if (!fault.empty()) host.refuse(UsageError(fault));
            const auto room = [&](std::size_t count) { return target.room(count); };
            const auto sent = host.prepare([&] { return SentBytes<T>(isRoot ? elements : std::span<const T>()); });
            host.scatter(sent.data(), counts, options.root, std::ref(room));
            return target.filled();
        }
        return target.fill(scatterByLetters(collectives, envelope, partsOf(elements, counts), options.root));
    });
}

template <class T>
std::span<T> allToAllInto(Collectives& collectives, std::span<const T> elements, const AllToAllOptions<T>& options,
                          const std::string& knownFault = "") {
    return collectives.perform(Operation::AllToAll, 0, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        std::vector<T> copy;
        if (options.into.overlaps(elements)) [[unlikely]] {
            prepared<T>(collectives, envelope, [&] { copy.assign(elements.begin(), elements.end()); });
            elements = copy;
        }
        const Transport& transport = collectives.mailbox().transport();
        const std::string fault = prepared<T>(collectives, envelope, [&] {
            return !knownFault.empty() ? knownFault : faultOf(options.counts, transport.size(), elements.size(), envelope);
        });
        Target<T> target(options.into, envelope);
        const auto room = [&](std::span<const std::size_t> counts) {
            requireCounts(options.countsFrom, counts, transport.rank(), envelope);
            tellCounts(options.countsOut, counts, envelope);
            return target.room(counts);
        };
        if (HostBoard* const board = collectives.hostBoard(); board != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            if (!fault.empty()) host.refuse(UsageError(fault));
            std::vector<std::size_t>& counts = board->numbersOfRanks().outgoing;
            host.prepare([&] { setSizes(counts, options.counts, transport.size(), elements.size()); });
            const auto sent = host.prepare([&] { return SentBytes<T>(elements); });
            if (host.allToAll(sent.data(), counts, std::ref(room))) return target.filled();
        }
        std::vector<std::size_t> counts;
        if (fault.empty()) setSizes(counts, options.counts, transport.size(), elements.size());
        return joinInto(target, allToAllByLetters(collectives, envelope, partsOf(elements, counts)), options.countsFrom, options.countsOut,
                        transport.rank(), envelope);
    });
}

/// root: the rank that gets the result. HostTeam::AllRanks: every rank gets it.
template <class T, class Operator>
std::span<T> reduceInto(Collectives& collectives, std::span<const T> own, Operator& combineTwo, const Into<T>& into, int root) {
    const Operation operation = root == HostTeam::AllRanks ? Operation::AllReduce : Operation::Reduce;
    return collectives.perform(operation, std::max(root, 0), namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const bool isTarget = root == HostTeam::AllRanks || collectives.mailbox().transport().rank() == root;
        Target<T> target(into, envelope);
        if (!hasUnlisted<T>() && collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            const auto sent = host.prepare([&] { return SentBytes<T>(own); });
            const std::size_t capacity = host.prepare([&] { return isTarget ? into.memoryFor(own.size()).size() : own.size(); });
            if (capacity < own.size()) host.refuse(UsageError(tooSmall(own.size(), capacity, envelope)));
            void* const room = host.prepare([&] { return isTarget ? target.room(own.size()) : nullptr; });
            if (host.reduce(sent.data(), room, sent.size(), plainOperator<T>(combineTwo), root)) return target.filled();
        }
        const std::vector<T> combined = reduceByLetters(collectives, envelope, vectorOf(own), combineTwo, root);
        return isTarget ? target.fill(combined) : target.filled();
    });
}

/// gatherInto() with displacements, and with those that are asked for.
template <class T>
std::span<T> gatherToPlaces(Collectives& collectives, std::span<const T> own, GatherOptions<T> options) {
    std::vector<int> counts;
    if (options.displacementsOut != nullptr && options.countsOut == nullptr) options.countsOut = &counts;
    const auto tell = [&options] { tellDisplacements(options.displacementsOut, displacementsOf(*options.countsOut)); };
    if (options.displacements.empty() || collectives.mailbox().transport().rank() != options.root) {
        const std::span<T> filled = gatherInto(collectives, own, options);
        if (options.displacementsOut != nullptr) tell();
        return filled;
    }
    const std::span<T> filled = intoPlaces<T>(
        "gather", options.displacements, options.into, options.countsOut, [&](const Into<T>& into, std::vector<int>* countsOut) {
            gatherInto(collectives, own, {options.root, options.counts, {}, into, countsOut, nullptr, options.deadline});
        });
    tellDisplacements(options.displacementsOut, options.displacements);
    return filled;
}

/// allGatherInto() with displacements, and with those that are asked for.
template <class T>
std::span<T> allGatherToPlaces(Collectives& collectives, std::span<const T> own, AllGatherOptions<T> options) {
    std::vector<int> counts;
    if (options.displacementsOut != nullptr && options.countsOut == nullptr) options.countsOut = &counts;
    if (options.displacements.empty()) {
        const std::span<T> filled = allGatherInto(collectives, own, options);
        if (options.displacementsOut != nullptr) tellDisplacements(options.displacementsOut, displacementsOf(*options.countsOut));
        return filled;
    }
    const std::span<T> filled = intoPlaces<T>(
        "allGather", options.displacements, options.into, options.countsOut, [&](const Into<T>& into, std::vector<int>* countsOut) {
            allGatherInto(collectives, own, {options.counts, {}, into, countsOut, nullptr, options.deadline});
        });
    tellDisplacements(options.displacementsOut, options.displacements);
    return filled;
}

/// Returns what make() makes before this rank enters a collective. Without memory for that, the rank enters the collective all the same and
/// gives it up: the other ranks wait for it.
template <class T, class Make>
auto orGiveUp(Collectives& collectives, Operation operation, int root, const Make& make) {
    try {
        return make();
    } catch (const std::bad_alloc&) {
        const auto giveUp = [&](const Envelope& envelope) { prepared<T>(collectives, envelope, [] { throw; }); };
        collectives.perform(operation, root, namedValueKey<std::vector<T>>(), giveUp);
        throw;
    }
}

/// scatterInto() of blocks that lie at displacements.
template <class T>
std::span<T> scatterFromPlaces(Collectives& collectives, std::span<const T> elements, const ScatterOptions<T>& options) {
    const Transport& transport = collectives.mailbox().transport();
    if (options.displacements.empty() || transport.rank() != options.root) return scatterInto(collectives, elements, options);
    const SentBlocks<T> blocks = orGiveUp<T>(collectives, Operation::Scatter, options.root, [&] {
        return blocksFrom("scatter", elements, options.counts, options.displacements, transport.size());
    });
    return scatterInto(collectives, std::span<const T>(blocks.elements), options, blocks.fault);
}

/// allToAllInto() of blocks that lie at displacements, and into such blocks.
template <class T>
std::span<T> allToAllByPlaces(Collectives& collectives, std::span<const T> elements, AllToAllOptions<T> options) {
    std::vector<int> counts;
    if (options.displacementsOut != nullptr && options.countsOut == nullptr) options.countsOut = &counts;
    const auto exchange = [&](const AllToAllOptions<T>& given) {
        if (given.displacements.empty()) return allToAllInto(collectives, elements, given);
        const int rankCount = collectives.mailbox().transport().size();
        const SentBlocks<T> blocks = orGiveUp<T>(collectives, Operation::AllToAll, 0, [&] {
            return blocksFrom("allToAll", elements, given.counts, given.displacements, rankCount);
        });
        return allToAllInto(collectives, std::span<const T>(blocks.elements), given, blocks.fault);
    };
    if (options.displacementsFrom.empty()) {
        const std::span<T> filled = exchange(options);
        if (options.displacementsOut != nullptr) tellDisplacements(options.displacementsOut, displacementsOf(*options.countsOut));
        return filled;
    }
    const std::span<T> filled = intoPlaces<T>(
        "allToAll", options.displacementsFrom, options.into, options.countsOut, [&](const Into<T>& into, std::vector<int>* countsOut) {
            exchange({options.counts, options.displacements, options.countsFrom, {}, into, countsOut, nullptr, options.deadline});
        });
    tellDisplacements(options.displacementsOut, options.displacementsFrom);
    return filled;
}

}    // namespace ferry::detail
