#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/collective/Outcome.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/IntWriter.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

/// The element for a rank. Errors: UsageError when there is not one for each rank.
template <class T>
T valueFor(const std::vector<T>& values, int rank, int rankCount, const char* call) {
    if (values.size() != static_cast<std::size_t>(rankCount))
        throw UsageError(fmt::format("{} needs a value for each of the {} ranks, not {}", call, rankCount, values.size()));
    return values[static_cast<std::size_t>(rank)];
}

/// Ways to append a rank's value to those of the ranks before it.
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

/// What all ranks' values make together, on the root; elsewhere nothing.
template <class T, class All, class Join>
All gather(Collectives& collectives, const T& value, int root, Join join) {
    All all;
    for (Letter& letter : collectives.gather(root, [&](IntWriter& out) { out << value; })) {
        T one{};
        IntReader in(letter.body(), collectives.mailbox().factory());
        in >> one;
        in.expectEnd();
        join(all, std::move(one));
        collectives.mailbox().giveBack(std::move(letter));
    }
    return all;
}

/// What all ranks' values make together, on every rank; join(T&& all, T&& value) appends a value, in the order of ranks.
template <class T, class All, class Join>
All allGather(Collectives& collectives, const T& value, Join join) {
    return collectives.perform(Operation::AllGather, 0, [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        if (mailbox.transport().rank() != 0) {
            mailbox.postInts(0, Channel::Data, Outcome<T>(value).pack(mailbox, envelope));
            return collectives.shareOutcome(envelope, Outcome<All>(All{})).take();
        }
        std::vector<Outcome<T>> parts{Outcome<T>(value)};
        for (int rank = 1; rank < mailbox.transport().size(); ++rank) parts.push_back(collectives.takeOutcome<T>(envelope, rank));
        auto joined = Outcome<All>::of([&] {
            All all;
            for (Outcome<T>& part : parts) join(all, part.take());
            return all;
        });
        return collectives.shareOutcome(envelope, std::move(joined)).take();
    });
}

template <class T>
T scatter(Collectives& collectives, const std::vector<T>& values, int root) {
    return collectives.perform(Operation::Scatter, root, [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        if (mailbox.transport().rank() != root) return collectives.takeOutcome<T>(envelope, root).take();
        const int rankCount = mailbox.transport().size();
        const auto outcomeFor = [&](int rank) { return Outcome<T>::of([&] { return valueFor(values, rank, rankCount, "scatter"); }); };
        for (int rank = 0; rank < rankCount; ++rank) {
            if (rank != root) mailbox.postInts(rank, Channel::Data, outcomeFor(rank).pack(mailbox, envelope));
        }
        return outcomeFor(root).take();
    });
}

template <class T>
std::vector<T> allToAll(Collectives& collectives, const std::vector<T>& values) {
    return collectives.perform(Operation::AllToAll, 0, [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        const int own = mailbox.transport().rank();
        const int rankCount = mailbox.transport().size();
        const auto outcomeFor = [&](int rank) { return Outcome<T>::of([&] { return valueFor(values, rank, rankCount, "allToAll"); }); };
        for (int step = 1; step < rankCount; ++step) {    // each rank begins with its neighbour, so that not all send to the same one
            const int to = (own + step) % rankCount;
            mailbox.postInts(to, Channel::Data, outcomeFor(to).pack(mailbox, envelope));
        }
        std::vector<Outcome<T>> parts;
        for (int rank = 0; rank < rankCount; ++rank)
            parts.push_back(rank == own ? outcomeFor(own) : collectives.takeOutcome<T>(envelope, rank));
        std::vector<T> received;
        for (Outcome<T>& part : parts) received.push_back(part.take());
        return received;
    });
}

}    // namespace ferry::detail
