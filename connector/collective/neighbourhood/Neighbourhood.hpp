#pragma once

#include <memory>
#include <utility>
#include <vector>

#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/neighbourhood/NeighbourExchange.hpp>
#include <ferry/connector/collective/neighbourhood/NeighbourLists.hpp>
#include <ferry/connector/collective/started/StartedOperation.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/message/pending/Pending.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

namespace ferry {

/// The ranks with which this rank exchanges values again and again. Each of them has neighbours of its own. A neighbourhood serves the
/// borders of a domain, or the edges of a graph. Its calls are collectives of all ranks of the connector, ranks without neighbours
/// included. Each rank sends to its destinations and waits for its sources only.
///
/// Ownership: the connector must outlive the neighbourhood; started exchanges need the connector only. Threads: the one thread of its rank.
/// Errors: the exception of a source that could not write a value, or of this rank that could not read one; UsageError; RankHasLeft and
/// deadlines as in any collective.
class Neighbourhood {
public:
    /// All ranks call the constructor together (Connector::neighbourhood). Errors: as agreeOnNeighbours().
    Neighbourhood(detail::Collectives& collectives, detail::NeighbourLists own)
        : collectives_(&collectives),
          lists_(detail::agreeOnNeighbours(collectives, std::move(own))) {}

    const std::vector<int>& sources() const noexcept { return lists_->sources; }
    const std::vector<int>& destinations() const noexcept { return lists_->destinations; }

    /// Returns the values of the sources, in the order of sources(). A vector is one value.
    template <class T>
    std::vector<T> allGather(const T& value, Deadline deadline = Deadline::never()) const {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const detail::DeadlineScope scope(collectives_->mailbox(), deadline);
        return detail::exchangeWithNeighbours(*collectives_, detail::Operation::NeighbourAllGather, *lists_, detail::SameForAll<T>(value));
    }

    /// Sends value i to destinations()[i]. Element i of the result comes from sources()[i]. Errors: UsageError on this rank and its
    /// destinations when there is not one value for each destination.
    template <class T>
    std::vector<T> allToAll(const std::vector<T>& values, Deadline deadline = Deadline::never()) const {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const detail::DeadlineScope scope(collectives_->mailbox(), deadline);
        return detail::exchangeWithNeighbours(*collectives_, detail::Operation::NeighbourAllToAll, *lists_,
                                              detail::OneForEach<T>(values, *lists_));
    }

    template <class T>
    Pending<std::vector<T>> startAllGather(T value) const {
        detail::requireTransportable<T>();
        return start(detail::Operation::NeighbourAllGather, detail::SameForAll<T>(std::move(value)));
    }

    template <class T>
    Pending<std::vector<T>> startAllToAll(std::vector<T> values) const {
        detail::requireTransportable<T>();
        return start(detail::Operation::NeighbourAllToAll, detail::OneForEach<T>(std::move(values), *lists_));
    }

    template <class T, class... Rest>
        requires(!std::ranges::range<T>)
    void allToAll(const T&, const Rest&...) const {
        static_assert(detail::never<T>, "ferry: allToAll takes a std::vector with one element for each destination (see T)");
    }

private:
    template <class Values>
    Pending<std::vector<typename Values::Value>> start(detail::Operation operation, Values values) const {
        return detail::startCollective<std::vector<typename Values::Value>>(
            *collectives_, operation, 0, detail::namedValueKey<typename Values::Value>(),
            [&](auto& own) { return detail::startedNeighbourExchange(own, lists_, std::move(values)); });
    }

    detail::Collectives* collectives_;
    std::shared_ptr<const detail::NeighbourLists> lists_;
};

}    // namespace ferry
