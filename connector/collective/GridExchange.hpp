#pragma once

#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/shape/Grid.hpp>
#include <ferry/connector/collective/shape/collectiveErrors.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

/// One rank's part of an exchange of all with all over a grid. The sender and the receiver of a step determine what the step holds. A first
/// step holds the values for the ranks of a column, from the top down. A second step holds the values of the ranks for which the sender
/// hands on, ascending.
template <class T>
class GridExchange {
    using Values = std::vector<T>;

public:
    /// call: the name of the user's call, for errors.
    GridExchange(Collectives& collectives, const Envelope& envelope, const char* call)
        : collectives_(collectives),
          envelope_(envelope),
          call_(call),
          rank_(collectives.mailbox().transport().rank()),
          rankCount_(collectives.mailbox().transport().size()),
          grid_(rankCount_) {}

    std::vector<T> run(const std::vector<T>& values) {
        Outcome<Values> own{Values()};
        for (int column = 0; column < grid_.columnCount(); ++column) {
            auto forColumn = Outcome<Values>::of([&] {
                Values chosen;
                for (const int to : grid_.ranksOfColumn(column)) chosen.push_back(valueFor(values, to, rankCount_, call_));
                return chosen;
            });
            send(grid_.stopBetween(rank_, column), std::move(forColumn), own);
        }
        return handOn(std::move(own));
    }

private:
    void send(int to, Outcome<Values> values, Outcome<Values>& own) {
        if (to == rank_) {
            own = std::move(values);
        } else {
            collectives_.mailbox().postInts(to, Channel::Data, values.pack(collectives_.mailbox(), envelope_));
        }
    }

    static Values requireCount(Values values, std::size_t count) {
        if (values.size() != count) failGridStep(count, values.size());
        return values;
    }

    /// Passes the values that came along the rows on along this rank's column.
    Values handOn(Outcome<Values> ownFirst) {
        const std::vector<int> column = grid_.ranksOfColumn(grid_.columnOf(rank_));
        std::vector<Outcome<Values>> arrived;
        for (const int from : grid_.sendersThrough(rank_))
            arrived.push_back(from == rank_ ? std::move(ownFirst) : collectives_.takeOutcome<Values>(envelope_, from));
        std::vector<Values> byReceiver(column.size());
        std::exception_ptr failure;    // the first failure; it holds for all ranks of the column, whose values came together
        for (Outcome<Values>& one : arrived) {
            try {
                Values values = requireCount(one.take(), column.size());
                for (std::size_t row = 0; row < column.size(); ++row) byReceiver[row].push_back(std::move(values[row]));
            } catch (...) {
                if (!failure) failure = std::current_exception();
            }
        }
        Outcome<Values> own{Values()};
        for (std::size_t row = 0; row < column.size(); ++row) {
            auto outcome = Outcome<Values>::of([&] {
                if (failure) std::rethrow_exception(failure);
                return std::move(byReceiver[row]);
            });
            send(column[row], std::move(outcome), own);
        }
        return collect(column, std::move(own));
    }

    Values collect(const std::vector<int>& column, Outcome<Values> ownSecond) {
        std::vector<Outcome<Values>> parts;
        for (const int from : column)
            parts.push_back(from == rank_ ? std::move(ownSecond) : collectives_.takeOutcome<Values>(envelope_, from));
        Values all(static_cast<std::size_t>(rankCount_));
        for (std::size_t i = 0; i < column.size(); ++i) {
            const std::vector<int> senders = grid_.sendersThrough(column[i]);
            Values values = requireCount(parts[i].take(), senders.size());
            for (std::size_t k = 0; k < senders.size(); ++k) all[static_cast<std::size_t>(senders[k])] = std::move(values[k]);
        }
        return all;
    }

    Collectives& collectives_;
    Envelope envelope_;
    const char* call_;
    int rank_;
    int rankCount_;
    Grid grid_;
};

template <class T>
std::vector<T> gridAllToAll(Collectives& collectives, const std::vector<T>& values) {
    return collectives.perform(Operation::GridAllToAll, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        return GridExchange<T>(collectives, envelope, "gridAllToAll").run(values);
    });
}

}    // namespace ferry::detail
