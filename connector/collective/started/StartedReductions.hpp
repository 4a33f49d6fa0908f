#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Blocks.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/connector/collective/course/Routine.hpp>
#include <ferry/connector/collective/course/StartedCollective.hpp>
#include <ferry/connector/collective/started/StartedRoutines.hpp>

// The part of each rank in a started collective that combines values. Its steps and its order of ranks are those of the blocking form
// (Reduction, Blocks).

namespace ferry::detail {

/// Returns the combined value of this rank and the ranks below it in the tree, which are its next neighbours; on rank 0 the value of all
/// ranks.
template <class T, class Operator>
Routine<Outcome<T>> combineUpwards(StartedCollective& own, Outcome<T> total, Operator& combineTwo) {
    const TreePlace place = own.placeBelow(0);
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {    // nearest first
        Letter letter = co_await own.from(*child);
        Outcome<T> part = own.read<T>(std::move(letter));
        total = combineOutcomes(combineTwo, total, own.rank(), part, *child);
    }
    if (place.parent != -1) own.send(place.parent, total);
    co_return std::move(total);
}

template <class T, class Operator>
Routine<T> startedReduce(StartedCollective& own, Outcome<T> value, Operator combineTwo, int root) {
    Routine<Outcome<T>> combined = combineUpwards(own, std::move(value), combineTwo);
    Outcome<T> total = co_await combined;
    if (root != 0 && own.rank() == 0) own.send(root, total);
    if (root != 0 && own.rank() == root) {
        Letter letter = co_await own.from(0);
        total = own.read<T>(std::move(letter));
    }
    T result = total.take();
    if (own.rank() != root) result = T{};
    co_return std::move(result);
}

template <class T, class Operator>
Routine<T> startedAllReduce(StartedCollective& own, Outcome<T> value, Operator combineTwo) {
    Routine<Outcome<T>> combined = combineUpwards(own, std::move(value), combineTwo);
    Outcome<T> total = co_await combined;
    Routine<Outcome<T>> shared = shareOutcome(own, std::move(total), 0);
    Outcome<T> everywhere = co_await shared;
    co_return everywhere.take();
}

/// Returns this rank's block of the combined vector.
template <class T, class Operator>
Routine<std::vector<T>> startedReduceScatter(StartedCollective& own, std::vector<T> values, Operator combineTwo,
                                             std::vector<std::size_t> lengths) {
    Blocks blocks(std::move(lengths), own.size());
    Outcome<std::vector<T>> checked = blocks.check(std::move(values));
    Routine<Outcome<std::vector<T>>> combined = combineUpwards(own, std::move(checked), combineTwo);
    Outcome<std::vector<T>> total = co_await combined;
    if (own.rank() != 0) {
        Letter letter = co_await own.from(0);
        Outcome<std::vector<T>> mine = own.read<std::vector<T>>(std::move(letter));
        co_return blocks.requireOwn(mine.take(), own.rank());
    }
    std::vector<Outcome<std::vector<T>>> parts = blocks.divide(total);
    for (int rank = 1; rank < own.size(); ++rank) own.send(rank, parts[static_cast<std::size_t>(rank)]);
    co_return parts.front().take();
}

/// Returns the combined value of the ranks up to this one.
template <class T, class Operator>
Routine<T> startedScan(StartedCollective& own, Outcome<T> total, Operator combineTwo) {
    if (own.rank() > 0) {
        Letter letter = co_await own.from(own.rank() - 1);
        Outcome<T> before = own.read<T>(std::move(letter));
        total = combineOutcomes(combineTwo, before, own.rank() - 1, total, own.rank());
    }
    if (own.rank() + 1 < own.size()) own.send(own.rank() + 1, total);
    co_return total.take();
}

/// Returns the combined value of the ranks before this one; on rank 0 the value of before.
template <class T, class Operator>
Routine<T> startedExclusiveScan(StartedCollective& own, Outcome<T> total, Operator combineTwo, Outcome<T> before) {
    if (own.rank() > 0) {
        Letter letter = co_await own.from(own.rank() - 1);
        before = own.read<T>(std::move(letter));
        if (own.rank() + 1 < own.size()) total = combineOutcomes(combineTwo, before, own.rank() - 1, total, own.rank());
    }
    if (own.rank() + 1 < own.size()) own.send(own.rank() + 1, total);
    co_return before.take();
}

}    // namespace ferry::detail
