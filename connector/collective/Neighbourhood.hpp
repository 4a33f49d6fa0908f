#pragma once

#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/collective/NeighbourExchange.hpp>
#include <ferry/connector/collective/NeighbourLists.hpp>
#include <ferry/connector/collective/StartedOperation.hpp>
#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/Pending.hpp>
#include <ferry/connector/message/Transportable.hpp>

namespace ferry {

/// The ranks with which this one exchanges values, again and again, while each of them has neighbours of its own: for the borders of a
/// domain, or the edges of a graph. Its calls are collectives of all ranks of the connector, also of those without neighbours; each rank
/// sends to its destinations and waits for its sources only.
///
/// Ownership: the connector must outlive it; started exchanges need the connector only. Threads: the one thread of its rank.
/// Errors: what a source could not write, or this rank not read; UsageError; RankHasLeft and deadlines as in any collective.
class Neighbourhood {
public:
    /// All ranks together (Connector::neighbourhood). Errors: those of agreeOnNeighbours().
    Neighbourhood(Collectives& collectives, NeighbourLists own)
        : collectives_(&collectives),
          lists_(agreeOnNeighbours(collectives, std::move(own))) {}

    const std::vector<int>& sources() const noexcept { return lists_->sources; }
    const std::vector<int>& destinations() const noexcept { return lists_->destinations; }

    /// The values of the sources, in the order of sources(). A vector is one value.
    template <class T>
    std::vector<T> allGather(const T& value, Deadline deadline = Deadline::never()) const {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(collectives_->mailbox(), deadline);
        return detail::exchangeWithNeighbours(*collectives_, Operation::NeighbourAllGather, *lists_, detail::SameForAll<T>(value));
    }

    /// Sends value i to destinations()[i]; element i of the result comes from sources()[i]. Errors: UsageError when there is not one value
    /// for each destination, on this rank and its destinations.
    template <class T>
    std::vector<T> allToAll(const std::vector<T>& values, Deadline deadline = Deadline::never()) const {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(collectives_->mailbox(), deadline);
        return detail::exchangeWithNeighbours(*collectives_, Operation::NeighbourAllToAll, *lists_, detail::OneForEach<T>(values, *lists_));
    }

    template <class T>
    Pending<std::vector<T>> startAllGather(T value) const {
        detail::requireTransportable<T>();
        return start(Operation::NeighbourAllGather, detail::SameForAll<T>(std::move(value)));
    }

    template <class T>
    Pending<std::vector<T>> startAllToAll(std::vector<T> values) const {
        detail::requireTransportable<T>();
        return start(Operation::NeighbourAllToAll, detail::OneForEach<T>(std::move(values), *lists_));
    }

    template <class T, class... Rest>
        requires(!std::ranges::range<T>)
    void allToAll(const T&, const Rest&...) const {
        static_assert(detail::never<T>, "ferry: allToAll takes a std::vector with one element for each destination (see T)");
    }

private:
    template <class Values>
    Pending<std::vector<typename Values::Value>> start(Operation operation, Values values) const {
        return detail::startCollective<std::vector<typename Values::Value>>(
            *collectives_, operation, 0, namedValueKey<typename Values::Value>(),
            [&](auto& own) { return detail::startedNeighbourExchange(own, lists_, std::move(values)); });
    }

    Collectives* collectives_;
    std::shared_ptr<const NeighbourLists> lists_;
};

}    // namespace ferry
