#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Exchange.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/course/Routine.hpp>
#include <ferry/connector/collective/course/StartedCollective.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/neighbourhood/NeighbourLists.hpp>
#include <ferry/connector/collective/shape/collectiveErrors.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

// The part of each rank in the collectives of a neighbourhood. The rank sends to its destinations, then takes the values of its sources.

namespace ferry::detail {

/// One value for all destinations.
template <class T>
class SameForAll {
public:
    using Value = T;
    explicit SameForAll(T value) : outcome_(std::move(value)) {}
    Outcome<T>& forDestination(std::size_t) { return outcome_; }
    void requireFit(const NeighbourLists&) const {}

private:
    Outcome<T> outcome_;
};

/// One value for each destination, each to be sent once.
template <class T>
class OneForEach {
public:
    using Value = T;
    OneForEach(std::vector<T> values, const NeighbourLists& lists) : values_(std::move(values)), count_(lists.destinations.size()) {}

    Outcome<T> forDestination(std::size_t place) {
        return Outcome<T>::of([&] {
            requireFit();
            return static_cast<T>(std::move(values_[place]));
        });
    }
    /// Errors: UsageError when there is not one value for each destination.
    void requireFit() const {
        if (values_.size() != count_) failDestinations(count_, values_.size());
    }
    void requireFit(const NeighbourLists&) const { requireFit(); }

private:
    std::vector<T> values_;
    std::size_t count_;
};

template <class Values>
std::vector<typename Values::Value> exchangeWithNeighbours(Collectives& collectives, Operation operation, const NeighbourLists& lists,
                                                           Values values) {
    using T = typename Values::Value;
    return collectives.perform(operation, 0, namedValueKey<T>(), [&](const Envelope& envelope) {
        Mailbox& mailbox = collectives.mailbox();
        for (const std::size_t place : lists.sendOrder) {
            auto&& outcome = values.forDestination(place);
            mailbox.postInts(lists.destinations[place], Channel::Data, outcome.pack(mailbox, envelope));
        }
        std::vector<Outcome<T>> parts;
        for (const int source : lists.sources) parts.push_back(collectives.takeOutcome<T>(envelope, source));
        values.requireFit(lists);
        return takeAll(parts);
    });
}

template <class Values>
Routine<std::vector<typename Values::Value>> startedNeighbourExchange(StartedCollective& own, std::shared_ptr<const NeighbourLists> lists,
                                                                      Values values) {
    using T = typename Values::Value;
    for (const std::size_t place : lists->sendOrder) {
        auto&& outcome = values.forDestination(place);
        own.send(lists->destinations[place], outcome);
    }
    std::vector<Outcome<T>> parts;
    for (const int source : lists->sources) {
        Letter letter = co_await own.from(source);
        parts.push_back(own.read<T>(std::move(letter)));
    }
    values.requireFit(*lists);
    co_return takeAll(parts);
}

}    // namespace ferry::detail
