#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/shape/collectiveErrors.hpp>
#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/algorithms.hpp>

namespace ferry {

namespace detail {

/// The combined value of 2^level elements, a node of the tree of combinations. The first of the elements has the number place * 2^level.
template <class T>
struct Subtree {
    std::uint64_t place = 0;
    std::int32_t level = 0;
    T value{};
    FERRY_FIELDS(place, level, value)

    std::uint64_t begin() const { return place << level; }
    std::uint64_t end() const { return (place + 1) << level; }
    bool isLeft() const { return place % 2 == 0; }
};

/// Subtrees beside each other, of which no two can be combined into one. Their number is at most twice the number of binary digits of the
/// element count.
template <class T>
class SubtreeRow {
public:
    SubtreeRow() = default;

    /// Combines the values. begin: the number of their first element among the elements of all ranks.
    template <class Operator>
    SubtreeRow(std::uint64_t begin, std::span<const T> values, Operator& combineTwo) {
        while (!values.empty()) {
            const int widest = static_cast<int>(std::bit_width(values.size())) - 1;
            const int level = begin == 0 ? widest : std::min(std::countr_zero(begin), widest);
            const std::size_t count = std::size_t{1} << level;
            add({begin >> level, level, combined(values.data(), count, combineTwo)}, combineTwo);
            values = values.subspan(count);
            begin += count;
        }
    }

    /// Appends the row that lies behind this one.
    template <class Operator>
    void append(SubtreeRow row, Operator& combineTwo) {
        for (Subtree<T>& subtree : row.subtrees_) add(std::move(subtree), combineTwo);
    }

    /// Combines a row of all elements into one value. Nothing lies behind the last subtrees, so they stand for larger ones.
    /// Errors: UsageError when there are no elements.
    template <class Operator>
    T take(Operator& combineTwo) {
        if (subtrees_.empty()) failNoElement();
        T total = std::move(subtrees_.back().value);
        for (auto subtree = std::next(subtrees_.rbegin()); subtree != subtrees_.rend(); ++subtree)
            total = static_cast<T>(combineTwo(subtree->value, total));
        return total;
    }

    /// Errors: SerializationError unless the row is made of the elements from begin to end.
    void requireRange(std::uint64_t begin, std::uint64_t end) const {
        for (const Subtree<T>& subtree : subtrees_) {
            const bool isPossible = subtree.level >= 0 && subtree.level < 48 && subtree.place <= end >> subtree.level;
            if (!isPossible || subtree.begin() != begin || subtree.end() > end) failSubtree(begin, end, subtree.place, subtree.level);
            begin = subtree.end();
        }
        if (begin != end) failSubtreesEnd(end, begin);
    }

    FERRY_FIELDS(subtrees_)

private:
    template <class Operator>
    void add(Subtree<T> subtree, Operator& combineTwo) {
        while (!subtrees_.empty() && subtrees_.back().level == subtree.level && subtrees_.back().isLeft()) {
            subtree = {subtree.place / 2, subtree.level + 1, static_cast<T>(combineTwo(subtrees_.back().value, subtree.value))};
            subtrees_.pop_back();
        }
        subtrees_.push_back(std::move(subtree));
    }

    /// count: a power of 2.
    template <class Operator>
    static T combined(const T* values, std::size_t count, Operator& combineTwo) {
        if (count == 1) return *values;
        if (count == 4) {
            return static_cast<T>(
                combineTwo(static_cast<T>(combineTwo(values[0], values[1])), static_cast<T>(combineTwo(values[2], values[3]))));
        }
        const std::size_t half = count / 2;
        return static_cast<T>(combineTwo(combined(values, half, combineTwo), combined(values + half, half, combineTwo)));
    }

    std::vector<Subtree<T>> subtrees_;
};

/// Returns the outcome on rank 0. Each rank hands a row on to its parent in the tree of ranks. The row holds the elements of the rank and
/// of the ranks below it.
template <class T, class Operator>
Outcome<T> reproducibleTotal(Collectives& collectives, const Envelope& envelope, const std::vector<std::uint64_t>& ends,
                             const std::vector<T>& values, Operator& combineTwo) {
    Mailbox& mailbox = collectives.mailbox();
    const int rank = mailbox.transport().rank();
    const int size = mailbox.transport().size();
    const auto beginOf = [&ends](int one) { return one == 0 ? 0 : ends[static_cast<std::size_t>(one) - 1]; };
    const TreePlace place = placeInTree(rank, size, 0);
    auto row = Outcome<SubtreeRow<T>>::of([&] { return SubtreeRow<T>(beginOf(rank), values, combineTwo); });
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {    // nearest first
        auto part = collectives.takeOutcome<SubtreeRow<T>>(envelope, *child);
        const int behind = std::min(*child + (*child - rank), size);    // the tree under a child is as wide as the child is far away
        row = Outcome<SubtreeRow<T>>::of([&] {
            SubtreeRow<T> joined = row.take();
            SubtreeRow<T> right = part.take();
            right.requireRange(beginOf(*child), beginOf(behind));
            joined.append(std::move(right), combineTwo);
            return joined;
        });
    }
    if (place.parent != -1) mailbox.postInts(place.parent, Channel::Data, row.pack(mailbox, envelope));
    return Outcome<T>::of([&] { return rank == 0 ? row.take().take(combineTwo) : T{}; });
}

/// Returns for each rank the number at which its elements end, when the elements of all ranks are counted.
std::vector<std::uint64_t> endsOfRanks(Collectives& collectives, std::size_t ownCount);

template <class T, class Operator>
T reproducibleReduce(Collectives& collectives, const std::vector<T>& values, Operator& combineTwo, int root) {
    const std::vector<std::uint64_t> ends = endsOfRanks(collectives, values.size());
    return collectives.perform(Operation::ReproducibleReduce, root, namedValueKey<T>(), [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        const int rank = mailbox.transport().rank();
        Outcome<T> total = reproducibleTotal(collectives, envelope, ends, values, combineTwo);
        if (root != 0 && rank == 0) mailbox.postInts(root, Channel::Data, total.pack(mailbox, envelope));
        if (root != 0 && rank == root) total = collectives.takeOutcome<T>(envelope, 0);
        T combined = total.take();    // a T{} on other ranks
        return rank == root ? std::move(combined) : T{};
    });
}

template <class T, class Operator>
T reproducibleAllReduce(Collectives& collectives, const std::vector<T>& values, Operator& combineTwo) {
    const std::vector<std::uint64_t> ends = endsOfRanks(collectives, values.size());
    return collectives.perform(Operation::ReproducibleAllReduce, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        return collectives.shareOutcome(envelope, reproducibleTotal(collectives, envelope, ends, values, combineTwo)).take();
    });
}

}    // namespace detail

/// Returns the result of Connector::reproducibleReduce() for the elements, computed by one rank alone. Neighbours are combined in pairs,
/// then the pairs in pairs, and so on. An element without a neighbour waits for the next round. Errors: UsageError for no elements;
/// exceptions of the operator.
template <class T, class Operator>
T reproducibleReduceHere(const std::vector<T>& values, Operator combineTwo) {
    return detail::SubtreeRow<T>(0, values, combineTwo).take(combineTwo);
}

}    // namespace ferry
