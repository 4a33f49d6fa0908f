#pragma once

#include <concepts>
#include <cstddef>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/AllToAll.hpp>
#include <ferry/connector/collective/BlockReduction.hpp>
#include <ferry/connector/collective/CollectiveOptions.hpp>
#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/collective/Combinable.hpp>
#include <ferry/connector/collective/Operators.hpp>
#include <ferry/connector/collective/PlainCalls.hpp>
#include <ferry/connector/collective/PlainData.hpp>
#include <ferry/connector/collective/PlainInto.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/connector/collective/SparseExchange.hpp>
#include <ferry/connector/message/Transportable.hpp>
#include <ferry/connector/verbs/MessageCalls.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>

namespace ferry {

/// The calls of a Connector that all ranks make together, in the same order.
class CollectiveCalls : public MessageCalls {
public:
    /// The root rank's graph on every rank, for instance broadcastGraph(ferry::graph(scene)); what the others pass in is ignored. On the
    /// root rank the result refers to the caller's objects and owns nothing.
    template <class T>
    Graph<T> broadcastGraph(const GraphRoot<T>& graph, int root = 0, GraphMemory memory = GraphMemory::Heap,
                            Deadline deadline = Deadline::never()) {
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return collectives_.broadcastGraph(graph, root, memory);
    }

    /// The root's value on every rank; what the others pass in is ignored.
    template <class T>
    T broadcast(T value, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireSendable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::broadcast(collectives_, std::move(value), root);
    }

    /// Broadcasts plain elements into the span. Every rank gives a span of the same size.
    /// Errors: CollectiveMismatch where the root has another number.
    template <PlainData T>
    void broadcast(std::span<T> elements, int root = 0, Deadline deadline = Deadline::never()) {
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        detail::broadcastInto(collectives_, elements, root);
    }

    /// On the root the values of all ranks, in the order of ranks; elsewhere an empty vector.
    template <class T>
    std::vector<T> gather(const T& value, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::gather<T, std::vector<T>>(collectives_, value, root, detail::AppendOne());
    }

    /// On the root the elements of all ranks' vectors, whose lengths may differ, in the order of ranks; elsewhere an empty vector.
    template <class T>
    std::vector<T> gather(const std::vector<T>& values, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::gather<std::vector<T>, std::vector<T>>(collectives_, values, root, detail::AppendAll());
    }

    /// Gathers into the caller's memory: gather(mine, {.root = 0, .into = buffer}).
    /// Errors: UsageError on the root when it is too small; CollectiveMismatch for counts that are not the ranks' own.
    template <PlainRange Elements>
    auto gather(const Elements& elements, const GatherOptions<std::ranges::range_value_t<Elements>>& options) {
        checkRank(options.root);
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::gatherInto(collectives_, detail::spanOf(elements), options);
    }

    /// Returns when every rank has called it.
    void barrier(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        collectives_.barrier();
    }

    /// On the root the values of all ranks made one by the operator (Sum{}, any function of two values), in the order of ranks, so that it
    /// need not commute; elsewhere T{}. Vectors, of one length, are combined element by element.
    /// Errors: what the operator throws, and CollectiveMismatch for lengths, on the root and on the ranks between.
    template <class T, class Operator>
    T reduce(const T& value, Operator combineTwo, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::reduce(collectives_, value, combineTwo, root);
    }

    /// Reduces the same number of plain elements on each rank, into the caller's memory: reduce(mine, Sum{}, {.root = 0, .into =
    /// buffer}). Errors: UsageError on the root when it is too small.
    template <PlainRange Elements, class Operator>
    auto reduce(const Elements& elements, Operator combineTwo, const ReduceOptions<std::ranges::range_value_t<Elements>>& options) {
        checkRank(options.root);
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::reduceInto(collectives_, detail::spanOf(elements), combineTwo, options.into, options.root);
    }

    /// Like reduce(), with the result and the errors on every rank.
    template <class T, class Operator>
    T allReduce(const T& value, Operator combineTwo, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allReduce(collectives_, value, combineTwo);
    }

    /// Reduces into the caller's memory on every rank: allReduce(mine, Sum{}, {.into = buffer}).
    template <PlainRange Elements, class Operator>
    auto allReduce(const Elements& elements, Operator combineTwo, const AllReduceOptions<std::ranges::range_value_t<Elements>>& options) {
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::reduceInto(collectives_, detail::spanOf(elements), combineTwo, options.into, HostTeam::AllRanks);
    }

    /// The values of the ranks up to this one made one, as by reduce. An error arrives on the ranks from there on.
    template <class T, class Operator>
    T scan(const T& value, Operator combineTwo, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::scan(collectives_, value, combineTwo);
    }

    /// The values of the ranks before this one made one, as by reduce; on rank 0, which has none before it, the first value (which is not
    /// combined with others). So exclusiveScan(count, Sum{}) is where this rank's elements begin among those of all.
    template <class T, class Operator>
    T exclusiveScan(const T& value, Operator combineTwo, std::type_identity_t<T> first = T{}, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::exclusiveScan<T>(collectives_, value, combineTwo, std::move(first));
    }

    /// This rank's block of all ranks' vectors, which are combined as by reduce. The blocks are equal, or have these lengths, one for each
    /// rank. Errors, on every rank: UsageError when the vectors cannot be divided like this, CollectiveMismatch for vectors of different
    /// lengths; on a rank whose block is another one for rank 0, CollectiveMismatch; what the operator throws.
    template <class T, class Operator>
    std::vector<T> reduceScatter(const std::vector<T>& values, Operator combineTwo, const std::vector<std::size_t>& lengths = {},
                                 Deadline deadline = Deadline::never()) {
        detail::requireCombinable<std::vector<T>, Operator>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::reduceScatter(collectives_, values, combineTwo, lengths);
    }

    /// The values of all ranks on every rank, in the order of ranks. A value that cannot be written or read is an error on every rank.
    template <class T>
    std::vector<T> allGather(const T& value, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allGather<T, std::vector<T>>(collectives_, value, detail::AppendOne());
    }

    /// The elements of all ranks' vectors, whose lengths may differ, on every rank, in the order of ranks.
    template <class T>
    std::vector<T> allGather(const std::vector<T>& values, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allGather<std::vector<T>, std::vector<T>>(collectives_, values, detail::AppendAll());
    }

    /// Gathers into the caller's memory on every rank: allGather(mine, {.counts = counts, .into = buffer}). Errors: as gather's.
    template <PlainRange Elements>
    auto allGather(const Elements& elements, const AllGatherOptions<std::ranges::range_value_t<Elements>>& options) {
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::allGatherInto(collectives_, detail::spanOf(elements), options);
    }

    /// The root's element for this rank; what the others pass in is ignored. The elements may be vectors, whose lengths may differ.
    /// Errors: UsageError on every rank when the root has not one for each.
    template <class T>
    T scatter(const std::vector<T>& values, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::scatter(collectives_, values, root);
    }

    /// Exchanges neighbouring elements, counts[r] of which go to rank r, into the caller's memory:
    /// scatter(all, {.root = 0, .counts = counts, .into = buffer}). Errors: UsageError on every rank when the counts do not fit the ranks
    /// and elements, on one whose memory is too small.
    template <PlainRange Elements>
    auto scatter(const Elements& elements, const ScatterOptions<std::ranges::range_value_t<Elements>>& options) {
        checkRank(options.root);
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::scatterInto(collectives_, detail::spanOf(elements), options);
    }

    /// Element r of the result is what rank r had for this one: its element number rank(). The elements may be vectors, whose lengths may
    /// differ. Where numbers or vectors of them go by letters (ranks of several hosts, a part of the ranks), and the ranks are 32 or more
    /// and have at most 512 bytes for each other, they travel as in gridAllToAll(). Errors: UsageError on every rank when one has not an
    /// element for each.
    template <class T>
    std::vector<T> allToAll(const std::vector<T>& values, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allToAll(collectives_, values);
    }

    /// Exchanges neighbouring elements, counts[r] of which go to rank r, into the caller's memory:
    /// allToAll(all, {.counts = counts, .into = buffer}). Errors: as scatter's.
    template <PlainRange Elements>
    auto allToAll(const Elements& elements, const AllToAllOptions<std::ranges::range_value_t<Elements>>& options) {
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::allToAllInto(collectives_, detail::spanOf(elements), options);
    }

    /// Sends each value to the rank that it is listed under, and returns what other ranks had for this one, by sender: for exchanges in
    /// which a rank has something for few others, and nobody knows who will send. Costs two messages for each value and two for each rank.
    /// Errors: UsageError for a rank that does not exist, on the rank that named it; a value that cannot be written is an error on its
    /// sender and its receiver, one that cannot be read on its receiver. All are thrown when the exchange is over, so that nobody waits.
    template <class T>
    std::map<int, T> sparseAllToAll(const std::map<int, T>& outgoing, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::sparseAllToAll(collectives_, outgoing);
    }

    template <class T, class... Rest>
        requires(!std::ranges::range<T>)
    void scatter(const T&, const Rest&...) {
        static_assert(detail::never<T>, "ferry: scatter takes a std::vector with one element for each rank (see T)");
    }
    template <class T, class... Rest>
        requires(!std::ranges::range<T>)
    void allToAll(const T&, const Rest&...) {
        static_assert(detail::never<T>, "ferry: allToAll takes a std::vector with one element for each rank (see T)");
    }
    template <class T, class... Rest>
        requires(!std::ranges::range<T>)
    void reduceScatter(const T&, const Rest&...) {
        static_assert(detail::never<T>, "ferry: reduceScatter takes a std::vector, of which each rank gets a block (see T)");
    }
    template <class T, class... Rest>
        requires(!detail::isMapByRank<T>)
    void sparseAllToAll(const T&, const Rest&...) {
        static_assert(detail::never<T>, "ferry: sparseAllToAll takes a std::map of values by the ranks that get them (see T)");
    }
    template <class T>
    void broadcast(const T&, Deadline) = delete;    // ferry: the root comes before the deadline: broadcast(value, root, deadline)
    template <class T, std::floating_point Rank>
    void broadcast(const T&, Rank root, Deadline = Deadline::never()) = delete;    // ferry: a rank is an int
    template <class T>
    void gather(const T&, Deadline) = delete;    // ferry: the root comes before the deadline: gather(value, root, deadline)

protected:
    template <class AnyTransport>
    CollectiveCalls(std::unique_ptr<AnyTransport> transport, const ObjectFactory& factory)
        : MessageCalls(std::move(transport), factory),
          collectives_(mailbox_) {}
    ~CollectiveCalls() = default;

    Collectives collectives_;
};

}    // namespace ferry
