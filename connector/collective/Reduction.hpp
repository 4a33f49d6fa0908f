#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/host/HostCollectives.hpp>
#include <ferry/connector/collective/host/PlainCalls.hpp>
#include <ferry/connector/collective/shape/collectiveErrors.hpp>
#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry::detail {

/// Combines the values of two neighbouring groups of ranks. Each group is named by its first rank.
template <class T, class Operator>
T combine(Operator& combineTwo, const T& left, int, const T& right, int) {
    return combineTwo(left, right);
}

/// Combines vectors element by element, unless the operator takes whole vectors only.
/// Errors: CollectiveMismatch when the lengths differ.
template <class T, class Operator>
std::vector<T> combine(Operator& combineTwo, const std::vector<T>& left, int leftRank, const std::vector<T>& right, int rightRank) {
    if constexpr (std::is_invocable_v<Operator&, const T&, const T&>) {
        if (left.size() != right.size()) failLengths(leftRank, left.size(), rightRank, right.size());
        std::vector<T> combined;
        combined.reserve(left.size());
        for (std::size_t i = 0; i < left.size(); ++i) combined.push_back(static_cast<T>(combineTwo(left[i], right[i])));
        return combined;
    } else {
        return combineTwo(left, right);
    }
}

/// Combines two outcomes. A failure of either is the failure of the result.
template <class T, class Operator>
Outcome<T> combineOutcomes(Operator& combineTwo, Outcome<T>& left, int leftRank, Outcome<T>& right, int rightRank) {
    return Outcome<T>::of([&]() -> T { return combine(combineTwo, left.value(), leftRank, right.value(), rightRank); });
}

/// Returns the combined value of this rank and the ranks below it in the tree, which are its next neighbours; on rank 0 the value of all
/// ranks.
template <class T, class Operator>
Outcome<T> reduceUpwards(Collectives& collectives, const Envelope& envelope, Outcome<T> total, Operator& combineTwo) {
    Mailbox& mailbox = collectives.mailbox();
    const int rank = mailbox.transport().rank();
    const TreePlace place = placeInTree(rank, mailbox.transport().size(), 0);
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {    // nearest first
        Outcome<T> part = collectives.takeOutcome<T>(envelope, *child);
        total = combineOutcomes(combineTwo, total, rank, part, *child);
    }
    if (place.parent != -1) mailbox.postInts(place.parent, Channel::Data, total.pack(mailbox, envelope));
    return total;
}

/// Makes the result of a plain reduction, with room for as many elements as there are in the value.
template <class T>
T makeRoomLike(const T& value) {
    T room{};
    makeRoomIn(room, sentBytesOf(value).size());
    return room;
}

/// Combines plain values on the root, or on every rank (HostTeam::AllRanks). Returns nothing when nothing has been combined.
template <class T, class Operator>
std::optional<T> reduceOnHost(Collectives& collectives, const Envelope& envelope, const T& value, Operator& combineTwo, int root) {
    const bool isTarget = root == HostTeam::AllRanks || root == collectives.mailbox().transport().rank();
    HostCollectives host(collectives, envelope, plainTypeOf<T>());
    const auto own = host.prepare([&] { return sentBytesOf(value); });
    T combined = host.prepare([&] { return isTarget ? makeRoomLike(value) : T{}; });
    void* const target = isTarget ? makeRoomIn(combined, own.size()) : nullptr;
    if (!host.reduce(own.data(), target, own.size(), plainOperator<ElementOf<T>>(combineTwo), root)) return std::nullopt;
    return combined;
}

template <class T, class Operator>
std::optional<T> scanOnHost(Collectives& collectives, const Envelope& envelope, const T& value, Operator& combineTwo) {
    HostCollectives host(collectives, envelope, plainTypeOf<T>());
    const auto own = host.prepare([&] { return sentBytesOf(value); });
    T combined = host.prepare([&] { return makeRoomLike(value); });
    if (!host.scan(own.data(), makeRoomIn(combined, own.size()), own.size(), plainOperator<ElementOf<T>>(combineTwo))) return std::nullopt;
    return combined;
}

template <class T, class Operator>
T reduceByLetters(Collectives& collectives, const Envelope& envelope, const T& value, Operator& combineTwo, int root) {
    Mailbox& mailbox = collectives.mailbox();
    const int rank = mailbox.transport().rank();
    Outcome<T> total = reduceUpwards(collectives, envelope, Outcome<T>(value), combineTwo);
    if (root == HostTeam::AllRanks) return collectives.shareOutcome(envelope, std::move(total)).take();
    if (root != 0 && rank == 0) mailbox.postInts(root, Channel::Data, total.pack(mailbox, envelope));
    if (root != 0 && rank == root) total = collectives.takeOutcome<T>(envelope, 0);
    T combined = total.take();
    return rank == root ? std::move(combined) : T{};
}

/// Returns the combined value on the root; on every rank for HostTeam::AllRanks.
template <class T, class Operator>
T reduce(Collectives& collectives, const T& value, Operator& combineTwo, int root) {
    const Operation operation = root == HostTeam::AllRanks ? Operation::AllReduce : Operation::Reduce;
    return collectives.perform(operation, std::max(root, 0), namedValueKey<T>(), [&](const Envelope& envelope) {
        if constexpr (isPlainReduction<T, Operator>()) {
            if (collectives.hostBoard() != nullptr) {
                if (std::optional<T> combined = reduceOnHost(collectives, envelope, value, combineTwo, root)) return std::move(*combined);
            }
        }
        return reduceByLetters(collectives, envelope, value, combineTwo, root);
    });
}

template <class T, class Operator>
T allReduce(Collectives& collectives, const T& value, Operator& combineTwo) {
    return reduce(collectives, value, combineTwo, HostTeam::AllRanks);
}

template <class T, class Operator>
T scan(Collectives& collectives, const T& value, Operator& combineTwo) {
    return collectives.perform(Operation::Scan, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        if constexpr (isPlainReduction<T, Operator>()) {
            if (collectives.hostBoard() != nullptr) {
                if (std::optional<T> combined = scanOnHost(collectives, envelope, value, combineTwo)) return std::move(*combined);
            }
        }
        Mailbox& mailbox = collectives.mailbox();
        const int rank = mailbox.transport().rank();
        Outcome<T> prefix(value);
        if (rank > 0) {
            Outcome<T> before = collectives.takeOutcome<T>(envelope, rank - 1);
            prefix = Outcome<T>::of([&] { return combine(combineTwo, before.take(), rank - 1, value, rank); });
        }
        if (rank + 1 < mailbox.transport().size()) mailbox.postInts(rank + 1, Channel::Data, prefix.pack(mailbox, envelope));
        return prefix.take();
    });
}

}    // namespace ferry::detail
