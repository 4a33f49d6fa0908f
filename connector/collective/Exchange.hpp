#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/host/HostCollectives.hpp>
#include <ferry/connector/collective/host/PlainCalls.hpp>
#include <ferry/connector/collective/host/PlainData.hpp>
#include <ferry/connector/collective/shape/collectiveErrors.hpp>
#include <ferry/connector/message/letter/SequenceForm.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/IntReader.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry::detail {

/// Errors: UsageError when there is not one value for each rank.
template <class T>
void requireOneForEach(const std::vector<T>& values, int rankCount, const char* call) {
    if (values.size() != static_cast<std::size_t>(rankCount)) failOneForEach(call, rankCount, values.size());
}

/// Returns the element for a rank. Errors: UsageError when there is not one element for each rank.
template <class T>
T valueFor(const std::vector<T>& values, int rank, int rankCount, const char* call) {
    requireOneForEach(values, rankCount, call);
    return values[static_cast<std::size_t>(rank)];
}

/// Moves the element for a rank out of the values. The outcome is a UsageError when there is not one element for each rank, and the failure
/// of the values when there are none.
template <class T>
Outcome<T> takeOutcomeFor(Outcome<std::vector<T>>& values, int rank, int rankCount, const char* call) {
    return Outcome<T>::of([&] {
        requireOneForEach(values.value(), rankCount, call);
        return static_cast<T>(std::move(values.value()[static_cast<std::size_t>(rank)]));
    });
}

/// Returns the values of all outcomes in their order, or throws the first failure.
template <class T>
std::vector<T> takeAll(std::vector<Outcome<T>>& parts) {
    std::vector<T> values;
    values.reserve(parts.size());
    for (Outcome<T>& part : parts) values.push_back(part.take());
    return values;
}

/// AppendOne and AppendAll append a rank's value to the values of the ranks before it.
struct AppendOne {
    template <class T>
    void operator()(std::vector<T>& all, T one) const {
        all.push_back(std::move(one));
    }
};
struct AppendAll {
    template <class T>
    void operator()(std::vector<T>& all, std::vector<T> part) const {
        all.insert(all.end(), std::make_move_iterator(part.begin()), std::make_move_iterator(part.end()));
    }
};

template <class T>
T readBody(Collectives& collectives, Letter letter) {
    requireMadeReady<T>();
    T value{};
    IntReader in(letter.body(), collectives.mailbox().factory());
    in >> value;
    in.expectEnd();
    collectives.mailbox().giveBack(std::move(letter));
    return value;
}

template <class T>
T broadcastByLetters(Collectives& collectives, const Envelope& envelope, T& value, int root) {
    Letter letter = collectives.broadcast(envelope, root, [&](IntWriter& out) { out << value; });
    if (collectives.mailbox().transport().rank() != root) return readBody<T>(collectives, std::move(letter));
    collectives.mailbox().giveBack(std::move(letter));
    return std::move(value);
}

/// Returns the root's value on every rank; on the root the value is moved, when all is sent. The values that other ranks pass in are
/// ignored. Contiguous sequences of one element type meet each other.
template <class T>
T broadcast(Collectives& collectives, T& value, int root) {
    using Form = typename ValueForm<T>::Type;
    return collectives.perform(Operation::Broadcast, root, namedValueKey<Form>(), [&](const Envelope& envelope) {
        if constexpr (isPlain<T>) {
            if (collectives.hostBoard() != nullptr) {
                const bool isRoot = collectives.mailbox().transport().rank() == root;
                HostCollectives host(collectives, envelope, plainTypeOf<Form>());
                const auto own = host.prepare([&] { return isRoot ? sentBytesOf(value) : SentBytes<ElementOf<T>>({}); });
                const auto makeRoom = [&value](std::size_t count) { return makeRoomIn(value, count); };
                if (host.broadcast(own.data(), own.size(), root, makeRoom)) {
                    if (!isRoot) completeReceived(value);
                    return std::move(value);
                }
            }
        }
        return broadcastByLetters(collectives, envelope, value, root);
    });
}

/// Returns the value of each rank on the root; elsewhere no values.
template <class T>
std::vector<T> gatherByLetters(Collectives& collectives, const Envelope& envelope, const T& value, int root) {
    std::vector<T> values;
    for (Letter& letter : collectives.gather(envelope, root, [&](IntWriter& out) { out << value; }))
        values.push_back(readBody<T>(collectives, std::move(letter)));
    return values;
}

/// Returns all ranks' values joined into one on the root; elsewhere an empty result. join(all, value) appends a value, in the order of
/// ranks.
template <class T, class All, class Join>
All gather(Collectives& collectives, const T& value, int root, Join join) {
    return collectives.perform(Operation::Gather, root, namedValueKey<T>(), [&](const Envelope& envelope) {
        All all;
        if constexpr (isPlainPart<ElementOf<T>> && std::is_same_v<All, std::vector<ElementOf<T>>>) {
            if (collectives.hostBoard() != nullptr) {
                HostCollectives host(collectives, envelope, plainTypeOf<T>());
                const auto own = host.prepare([&] { return sentBytesOf(value); });
                host.gather(own.data(), own.size(), root,
                            [&all](std::span<const std::size_t> counts) { return makeRoomIn(all, sumOf(counts)); });
                completeReceived(all);
                return all;
            }
        }
        for (auto&& one : gatherByLetters(collectives, envelope, value, root)) join(all, static_cast<T>(std::move(one)));
        if constexpr (isPlainPart<ElementOf<T>> && std::is_same_v<All, std::vector<ElementOf<T>>>) completeReceived(all);
        return all;
    });
}

/// Gathers the elements of all ranks' plain values. Returns false when they are too many for one call of the team. all is empty then.
template <class T, class Element>
bool allGatherOnHost(Collectives& collectives, const Envelope& envelope, const T& value, std::vector<Element>& all) {
    HostCollectives host(collectives, envelope, plainTypeOf<T>());
    const auto own = host.prepare([&] { return sentBytesOf(value); });
    const bool isDone =
        host.allGather(own.data(), own.size(), [&all](std::span<const std::size_t> counts) { return makeRoomIn(all, sumOf(counts)); });
    if (isDone) completeReceived(all);
    return isDone;
}

template <class T>
std::vector<T> allGatherByLetters(Collectives& collectives, const Envelope& envelope, const T& value) {
    using All = std::vector<T>;
    Mailbox& mailbox = collectives.mailbox();
    if (mailbox.transport().rank() != 0) {
        mailbox.postInts(0, Channel::Data, Outcome<T>(value).pack(mailbox, envelope));
        return collectives.shareOutcome(envelope, Outcome<All>(All{})).take();
    }
    std::vector<Outcome<T>> parts;
    parts.push_back(Outcome<T>(value));
    for (int rank = 1; rank < mailbox.transport().size(); ++rank) parts.push_back(collectives.takeOutcome<T>(envelope, rank));
    return collectives.shareOutcome(envelope, Outcome<All>::of([&] { return takeAll(parts); })).take();
}

/// Returns all ranks' values joined into one, on every rank. join(all, value) appends a value, in the order of ranks. operation: other
/// calls of users that gather values have operations of their own.
template <class T, class All, class Join>
All allGather(Collectives& collectives, const T& value, Join join, Operation operation = Operation::AllGather) {
    return collectives.perform(operation, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        All all;
        if constexpr (isPlainPart<ElementOf<T>> && std::is_same_v<All, std::vector<ElementOf<T>>>) {
            if (collectives.hostBoard() != nullptr && allGatherOnHost(collectives, envelope, value, all)) return all;
        }
        for (auto&& one : allGatherByLetters(collectives, envelope, value)) join(all, static_cast<T>(std::move(one)));
        if constexpr (isPlainPart<ElementOf<T>> && std::is_same_v<All, std::vector<ElementOf<T>>>) completeReceived(all);
        return all;
    });
}

template <class T>
T scatterOnHost(Collectives& collectives, const Envelope& envelope, const std::vector<T>& values, int root) {
    HostCollectives host(collectives, envelope, plainTypeOf<T>());
    T own = host.prepare([] { return T{}; });
    const bool isRoot = collectives.mailbox().transport().rank() == root;
    const Flattened<T> parts = host.prepare([&] { return Flattened<T>(isRoot ? std::span<const T>(values) : std::span<const T>()); });
    host.scatter(parts.data(), parts.counts, root, [&own](std::size_t count) { return makeRoomIn(own, count); });
    completeReceived(own);
    return own;
}

template <class T>
T scatterByLetters(Collectives& collectives, const Envelope& envelope, const std::vector<T>& values, int root) {
    Mailbox& mailbox = collectives.mailbox();
    if (mailbox.transport().rank() != root) return collectives.takeOutcome<T>(envelope, root).take();
    const int rankCount = mailbox.transport().size();
    const auto outcomeFor = [&](int rank) { return Outcome<T>::of([&] { return valueFor(values, rank, rankCount, "scatter"); }); };
    for (int rank = 0; rank < rankCount; ++rank) {
        if (rank != root) mailbox.postInts(rank, Channel::Data, outcomeFor(rank).pack(mailbox, envelope));
    }
    return outcomeFor(root).take();
}

template <class T>
T scatter(Collectives& collectives, const std::vector<T>& values, int root) {
    return collectives.perform(Operation::Scatter, root, namedValueKey<T>(), [&](const Envelope& envelope) {
        if constexpr (isPlainPart<T>) {
            if (collectives.hostBoard() != nullptr) return scatterOnHost(collectives, envelope, values, root);
        }
        return scatterByLetters(collectives, envelope, values, root);
    });
}

}    // namespace ferry::detail
