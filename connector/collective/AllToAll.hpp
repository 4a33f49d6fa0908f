#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/GridExchange.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/host/HostCollectives.hpp>
#include <ferry/connector/collective/host/PlainCalls.hpp>
#include <ferry/connector/collective/host/PlainData.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry::detail {

// Limits within which allToAll goes over a grid by itself. The fixed cost of a letter must outweigh sending every value twice.
constexpr int fewestRanksOnGrid = 32;
constexpr std::uint64_t mostBytesOnGrid = 512;    // size of one rank's value for another rank

/// Returns false when the elements are too many for one call of the host team. Nothing has been received then.
template <class T>
bool allToAllOnHost(Collectives& collectives, const Envelope& envelope, const std::vector<T>& values, std::vector<T>& received) {
    HostCollectives host(collectives, envelope, plainTypeOf<T>());
    if constexpr (PlainData<T>) {
        const SentBytes<T> own(values);
        const bool isDone = host.allToAllEvenly(own.data(), own.size(), 1, [&](std::size_t count) { return makeRoomIn(received, count); });
        if (isDone) completeReceived(received);
        return isDone;
    } else {
        const Flattened<T> parts(values);
        std::vector<typename T::value_type> elements;
        std::vector<std::size_t> counts;
        const bool isDone = host.allToAll(parts.data(), parts.counts, [&](std::span<const std::size_t> incoming) {
            counts.assign(incoming.begin(), incoming.end());
            elements.resize(sumOf(counts));
            return elements.data();
        });
        completeReceived(elements);
        auto begin = elements.begin();
        for (const std::size_t count : counts) {
            const auto end = begin + static_cast<std::ptrdiff_t>(count);
            received.emplace_back(begin, end);
            begin = end;
        }
        return isDone;
    }
}

template <class T>
std::vector<T> allToAllDirectly(Collectives& collectives, const Envelope& envelope, const std::vector<T>& values) {
    Mailbox& mailbox = collectives.mailbox();
    const int own = mailbox.transport().rank();
    const int rankCount = mailbox.transport().size();
    const auto outcomeFor = [&](int rank) { return Outcome<T>::of([&] { return valueFor(values, rank, rankCount, "allToAll"); }); };
    for (int step = 1; step < rankCount; ++step) {    // each rank begins with its neighbour, so that not all send to one rank at once
        const int to = (own + step) % rankCount;
        mailbox.postInts(to, Channel::Data, outcomeFor(to).pack(mailbox, envelope));
    }
    std::vector<Outcome<T>> parts;
    for (int rank = 0; rank < rankCount; ++rank)
        parts.push_back(rank == own ? outcomeFor(own) : collectives.takeOutcome<T>(envelope, rank));
    return takeAll(parts);
}

/// Tells whether the values are so small, and the ranks so many, that fewer letters are worth two hops. The answer is the same on every
/// rank. Values of fixed size need no letter about it. For other values the largest value of all ranks decides.
template <class T>
bool isForGrid(Collectives& collectives, const Envelope& envelope, const std::vector<T>& values) {
    if (collectives.mailbox().transport().size() < fewestRanksOnGrid) return false;
    if constexpr (PlainData<T>) {
        return sizeof(T) <= mostBytesOnGrid;
    } else {
        std::uint64_t largest = 0;
        for (const T& value : values) largest = std::max<std::uint64_t>(largest, value.size() * sizeof(typename T::value_type));
        Max larger;
        return reduceByLetters(collectives, envelope, largest, larger, HostTeam::AllRanks) <= mostBytesOnGrid;
    }
}

template <class T>
std::vector<T> allToAllByLetters(Collectives& collectives, const Envelope& envelope, const std::vector<T>& values) {
    if constexpr (isPlainPart<T>) {
        if (collectives.hostBoard() == nullptr && isForGrid(collectives, envelope, values))
            return GridExchange<T>(collectives, envelope, "allToAll").run(values);
    }
    return allToAllDirectly(collectives, envelope, values);
}

template <class T>
std::vector<T> allToAllWithin(Collectives& collectives, const Envelope& envelope, const std::vector<T>& values) {
    if constexpr (isPlainPart<T>) {
        std::vector<T> received;
        if (collectives.hostBoard() != nullptr && allToAllOnHost(collectives, envelope, values, received)) return received;
    }
    return allToAllByLetters(collectives, envelope, values);
}

template <class T>
std::vector<T> allToAll(Collectives& collectives, const std::vector<T>& values) {
    return collectives.perform(Operation::AllToAll, 0, namedValueKey<T>(),
                               [&](const Envelope& envelope) { return allToAllWithin(collectives, envelope, values); });
}

/// Exchanges the values that make() returns. When make() throws, this rank gives the collective up, and all ranks throw the same exception.
template <class T, class Make>
std::vector<T> allToAllMade(Collectives& collectives, const Make& make) {
    const auto makeOrGiveUp = [&](const Envelope& envelope) -> std::vector<T> {
        if constexpr (isPlainPart<T>) {
            if (collectives.hostBoard() != nullptr) return HostCollectives(collectives, envelope, plainTypeOf<T>()).prepare(make);
        }
        try {
            return make();
        } catch (...) {
            collectives.giveUp(envelope);
            throw;
        }
    };
    return collectives.perform(Operation::AllToAll, 0, namedValueKey<T>(),
                               [&](const Envelope& envelope) { return allToAllWithin(collectives, envelope, makeOrGiveUp(envelope)); });
}

}    // namespace ferry::detail
