#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <ferry/connector/collective/AllToAll.hpp>
#include <ferry/connector/collective/CollectiveOptions.hpp>
#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/HostCollectives.hpp>
#include <ferry/connector/collective/PlainCalls.hpp>
#include <ferry/connector/collective/PlainData.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

// The collectives of plain elements into memory of the caller. On ranks with a board nothing is allocated.

namespace ferry::detail {

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
/// Describes the fault of counts; empty: no fault. There must be one count for each rank, and their sum must be elementCount.
std::string faultOf(std::span<const int> counts, int rankCount, std::size_t elementCount, const Envelope& envelope);
/// Returns the counts as sizes. The counts must have no fault (faultOf).
std::vector<std::size_t> sizesOf(std::span<const int> counts);

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

/// Memory of the caller, and the number of elements that have been filled.
template <class T>
class Target {
public:
    Target(std::span<T> memory, const Envelope& envelope) noexcept : memory_(memory), envelope_(envelope) {}

    void* room(std::size_t count) {
        requireRoom(count, memory_.size(), envelope_);
        count_ = count;
        return memory_.data();
    }
    void* room(std::span<const std::size_t> counts) { return room(std::accumulate(counts.begin(), counts.end(), std::size_t{0})); }
    std::span<T> fill(const std::vector<T>& elements) {
        room(elements.size());
        std::copy(elements.begin(), elements.end(), memory_.begin());
        return filled();
    }
    std::span<T> filled() const { return memory_.first(count_); }

private:
    std::span<T> memory_;
    Envelope envelope_;
    std::size_t count_ = 0;
};

template <class T>
std::vector<T> vectorOf(std::span<const T> elements) {
    return std::vector<T>(elements.begin(), elements.end());
}

/// Joins the parts that ranks have sent by letters, one part from each rank. There are no parts where nothing is to come.
template <class T>
std::span<T> joinInto(Target<T>& target, const std::vector<std::vector<T>>& parts, std::span<const int> givenCounts, int ownRank,
                      const Envelope& envelope) {
    std::vector<T> all;
    std::vector<std::size_t> counts;
    for (const std::vector<T>& part : parts) {
        counts.push_back(part.size());
        all.insert(all.end(), part.begin(), part.end());
    }
    if (!parts.empty()) requireCounts(givenCounts, counts, ownRank, envelope);
    return target.fill(all);
}

template <class T>
void broadcastInto(Collectives& collectives, std::span<T> elements, int root) {
    collectives.perform(Operation::Broadcast, root, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const int ownRank = collectives.mailbox().transport().rank();
        const auto room = [&](std::size_t count) -> void* {
            requireSameCount(elements.size(), ownRank, count, root, envelope);
            return elements.data();
        };
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            if (host.broadcast(elements.data(), elements.size(), root, std::ref(room))) return;
        }
        const std::vector<T> values = broadcastByLetters(collectives, envelope, vectorOf<T>(elements), root);
        room(values.size());
        std::copy(values.begin(), values.end(), elements.begin());
    });
}

template <class T>
std::span<T> gatherInto(Collectives& collectives, std::span<const T> own, const GatherOptions<T>& options) {
    return collectives.perform(Operation::Gather, options.root, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const int ownRank = collectives.mailbox().transport().rank();
        Target<T> target(options.into, envelope);
        const auto room = [&](std::span<const std::size_t> counts) {
            requireCounts(options.counts, counts, ownRank, envelope);
            return target.room(counts);
        };
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            host.gather(own.data(), own.size(), options.root, std::ref(room));
            return target.filled();
        }
        return joinInto(target, gatherByLetters(collectives, envelope, vectorOf(own), options.root), options.counts, ownRank, envelope);
    });
}

template <class T>
std::span<T> allGatherInto(Collectives& collectives, std::span<const T> own, const AllGatherOptions<T>& options) {
    return collectives.perform(Operation::AllGather, 0, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const int ownRank = collectives.mailbox().transport().rank();
        Target<T> target(options.into, envelope);
        const auto room = [&](std::span<const std::size_t> counts) {
            requireCounts(options.counts, counts, ownRank, envelope);
            return target.room(counts);
        };
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            if (host.allGather(own.data(), own.size(), std::ref(room))) return target.filled();
        }
        return joinInto(target, allGatherByLetters(collectives, envelope, vectorOf(own)), options.counts, ownRank, envelope);
    });
}

template <class T>
std::span<T> scatterInto(Collectives& collectives, std::span<const T> elements, const ScatterOptions<T>& options) {
    return collectives.perform(Operation::Scatter, options.root, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const Transport& transport = collectives.mailbox().transport();
        const bool isRoot = transport.rank() == options.root;
        const std::string fault = isRoot ? faultOf(options.counts, transport.size(), elements.size(), envelope) : "";
        const std::vector<std::size_t> counts = isRoot && fault.empty() ? sizesOf(options.counts) : std::vector<std::size_t>();
        Target<T> target(options.into, envelope);
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            if (!fault.empty()) host.refuse(UsageError(fault));
            const auto room = [&](std::size_t count) { return target.room(count); };
            host.scatter(elements.data(), counts, options.root, std::ref(room));
            return target.filled();
        }
        return target.fill(scatterByLetters(collectives, envelope, partsOf(elements, counts), options.root));
    });
}

template <class T>
std::span<T> allToAllInto(Collectives& collectives, std::span<const T> elements, const AllToAllOptions<T>& options) {
    return collectives.perform(Operation::AllToAll, 0, namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const Transport& transport = collectives.mailbox().transport();
        const std::string fault = faultOf(options.counts, transport.size(), elements.size(), envelope);
        Target<T> target(options.into, envelope);
        const auto room = [&](std::span<const std::size_t> counts) {
            requireCounts(options.countsFrom, counts, transport.rank(), envelope);
            return target.room(counts);
        };
        if (HostBoard* const board = collectives.hostBoard(); board != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            if (!fault.empty()) host.refuse(UsageError(fault));
            std::vector<std::size_t>& counts = board->numbersOfRanks().outgoing;
            counts.assign(options.counts.begin(), options.counts.end());
            if (host.allToAll(elements.data(), counts, std::ref(room))) return target.filled();
        }
        const std::vector<std::size_t> counts = fault.empty() ? sizesOf(options.counts) : std::vector<std::size_t>();
        return joinInto(target, allToAllByLetters(collectives, envelope, partsOf(elements, counts)), options.countsFrom, transport.rank(),
                        envelope);
    });
}

/// root: the rank that gets the result. HostTeam::AllRanks: every rank gets it.
template <class T, class Operator>
std::span<T> reduceInto(Collectives& collectives, std::span<const T> own, Operator& combineTwo, std::span<T> into, int root) {
    const Operation operation = root == HostTeam::AllRanks ? Operation::AllReduce : Operation::Reduce;
    return collectives.perform(operation, std::max(root, 0), namedValueKey<std::vector<T>>(), [&](const Envelope& envelope) {
        const bool isTarget = root == HostTeam::AllRanks || collectives.mailbox().transport().rank() == root;
        Target<T> target(into, envelope);
        if (collectives.hostBoard() != nullptr) {
            HostCollectives host(collectives, envelope, plainTypeOf<std::vector<T>>());
            if (isTarget && into.size() < own.size()) host.refuse(UsageError(tooSmall(own.size(), into.size(), envelope)));
            void* const room = isTarget ? target.room(own.size()) : nullptr;
            if (host.reduce(own.data(), room, own.size(), plainOperator<T>(combineTwo), root)) return target.filled();
        }
        const std::vector<T> combined = reduceByLetters(collectives, envelope, vectorOf(own), combineTwo, root);
        return isTarget ? target.fill(combined) : target.filled();
    });
}

}    // namespace ferry::detail
