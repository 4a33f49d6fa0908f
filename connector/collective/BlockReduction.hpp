#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Blocks.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>

namespace ferry::detail {

/// Combines the vectors of all ranks element by element. Returns this rank's block of the result.
template <class T, class Operator>
std::vector<T> reduceScatter(Collectives& collectives, const std::vector<T>& values, Operator& combineTwo,
                             const std::vector<std::size_t>& lengths) {
    return collectives.perform(Operation::ReduceScatter, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        const int rank = mailbox.transport().rank();
        Blocks blocks(lengths, mailbox.transport().size());
        Outcome<std::vector<T>> total = reduceUpwards(collectives, envelope, blocks.check(values), combineTwo);
        if (rank != 0) return blocks.requireOwn(collectives.takeOutcome<std::vector<T>>(envelope, 0).take(), rank);
        std::vector<Outcome<std::vector<T>>> parts = blocks.divide(total);
        for (int to = 1; to < mailbox.transport().size(); ++to)
            mailbox.postInts(to, Channel::Data, parts[static_cast<std::size_t>(to)].pack(mailbox, envelope));
        return parts.front().take();
    });
}

/// Returns the combined value of the ranks before this one; on rank 0 the value first.
template <class T, class Operator>
T exclusiveScan(Collectives& collectives, const T& value, Operator& combineTwo, T first) {
    return collectives.perform(Operation::ExclusiveScan, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        const int rank = mailbox.transport().rank();
        const bool isLast = rank + 1 == mailbox.transport().size();
        Outcome<T> before(std::move(first));
        Outcome<T> total(value);
        if (rank > 0) {
            before = collectives.takeOutcome<T>(envelope, rank - 1);
            if (!isLast) total = combineOutcomes(combineTwo, before, rank - 1, total, rank);
        }
        if (!isLast) mailbox.postInts(rank + 1, Channel::Data, total.pack(mailbox, envelope));
        return before.take();
    });
}

}    // namespace ferry::detail
