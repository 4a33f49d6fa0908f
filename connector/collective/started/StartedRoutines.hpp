#pragma once

#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/course/Routine.hpp>
#include <ferry/connector/collective/course/StartedCollective.hpp>
#include <ferry/connector/collective/shape/Tree.hpp>

// The part of each rank in a started collective that combines nothing. Its steps and its trees are those of the blocking form (Collectives,
// Exchange). A failure of a value travels in its place, and is thrown at the end.

namespace ferry::detail {

Routine<std::monostate> startedBarrier(StartedCollective& own);

/// Returns the root's outcome on every rank. The outcomes that other ranks pass in are ignored.
template <class T>
Routine<Outcome<T>> shareOutcome(StartedCollective& own, Outcome<T> outcome, int root) {
    const TreePlace place = own.placeBelow(root);
    IntBuffer ints;
    if (own.rank() == root) {
        ints = own.pack(outcome);
    } else {
        Letter letter = co_await own.from(place.parent);
        if (!place.children.empty()) ints = letter.wholeInts();
        outcome = own.read<T>(std::move(letter));
    }
    for (const int child : place.children) own.send(child, ints);
    co_return std::move(outcome);
}

template <class T>
Routine<T> startedBroadcast(StartedCollective& own, Outcome<T> value, int root) {
    Routine<Outcome<T>> shared = shareOutcome(own, std::move(value), root);
    Outcome<T> outcome = co_await shared;
    co_return outcome.take();
}

/// Returns the outcomes of all ranks joined into one on the root; elsewhere an empty result. A rank that cannot write its value gets the
/// failure, too.
template <class T, class All, class Join>
Routine<Outcome<All>> collectOutcomes(StartedCollective& own, Outcome<T> mine, int root, Join join) {
    if (own.rank() != root) {
        own.send(root, mine);
        co_return Outcome<All>::of([&mine] {
            mine.take();
            return All();
        });
    }
    std::vector<Outcome<T>> parts;
    for (int rank = 0; rank < own.size(); ++rank) {
        if (rank == root) {
            parts.push_back(std::move(mine));
        } else {
            Letter letter = co_await own.from(rank);
            parts.push_back(own.read<T>(std::move(letter)));
        }
    }
    co_return Outcome<All>::of([&] {
        All all;
        for (Outcome<T>& part : parts) join(all, part.take());
        return all;
    });
}

template <class T, class All, class Join>
Routine<All> startedGather(StartedCollective& own, Outcome<T> value, int root, Join join) {
    Routine<Outcome<All>> collected = collectOutcomes<T, All>(own, std::move(value), root, join);
    Outcome<All> all = co_await collected;
    co_return all.take();
}

/// Returns one value from each rank, on every rank.
template <class T>
Routine<std::vector<T>> startedAllGather(StartedCollective& own, Outcome<T> value) {
    Routine<Outcome<std::vector<T>>> collected = collectOutcomes<T, std::vector<T>>(own, std::move(value), 0, AppendOne());
    Outcome<std::vector<T>> all = co_await collected;
    Routine<Outcome<std::vector<T>>> shared = shareOutcome(own, std::move(all), 0);
    Outcome<std::vector<T>> everywhere = co_await shared;
    co_return everywhere.take();
}

/// Joins the elements of the ranks' vectors.
template <class T>
Routine<std::vector<T>> startedAllGatherElements(StartedCollective& own, std::vector<T> values) {
    Routine<std::vector<std::vector<T>>> gathered = startedAllGather(own, Outcome<std::vector<T>>(std::move(values)));
    std::vector<std::vector<T>> parts = co_await gathered;
    std::vector<T> all;
    for (std::vector<T>& part : parts) AppendAll()(all, std::move(part));
    co_return std::move(all);
}

template <class T>
Routine<T> startedScatter(StartedCollective& own, Outcome<std::vector<T>> values, int root) {
    if (own.rank() != root) {
        Letter letter = co_await own.from(root);
        Outcome<T> mine = own.read<T>(std::move(letter));
        co_return mine.take();
    }
    for (int rank = 0; rank < own.size(); ++rank) {
        if (rank == root) continue;
        Outcome<T> part = takeOutcomeFor(values, rank, own.size(), "scatter");
        own.send(rank, part);
    }
    Outcome<T> mine = takeOutcomeFor(values, root, own.size(), "scatter");
    co_return mine.take();
}

template <class T>
Routine<std::vector<T>> startedAllToAll(StartedCollective& own, Outcome<std::vector<T>> values) {
    for (int distance = 1; distance < own.size(); ++distance) {    // each rank begins with its neighbour, as in the blocking form
        const int to = (own.rank() + distance) % own.size();
        Outcome<T> part = takeOutcomeFor(values, to, own.size(), "allToAll");
        own.send(to, part);
    }
    std::vector<Outcome<T>> parts;
    for (int rank = 0; rank < own.size(); ++rank) {
        if (rank == own.rank()) {
            parts.push_back(takeOutcomeFor(values, rank, own.size(), "allToAll"));
        } else {
            Letter letter = co_await own.from(rank);
            parts.push_back(own.read<T>(std::move(letter)));
        }
    }
    co_return takeAll(parts);
}

}    // namespace ferry::detail
