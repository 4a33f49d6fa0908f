#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/AllToAll.hpp>
#include <ferry/connector/collective/BlockReduction.hpp>
#include <ferry/connector/collective/PlainInto.hpp>
#include <ferry/connector/collective/Reduction.hpp>
#include <ferry/connector/collective/SparseExchange.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/host/PlainCalls.hpp>
#include <ferry/connector/collective/host/PlainData.hpp>
#include <ferry/connector/collective/shape/CollectiveOptions.hpp>
#include <ferry/connector/collective/shape/Combinable.hpp>
#include <ferry/connector/collective/shape/Operators.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/verbs/BoolCalls.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

namespace ferry::detail {

/// The calls of a Connector that all ranks make together, in the same order.
class CollectiveCalls : public BoolCalls {
public:
    using BoolCalls::gather;
    using BoolCalls::allGather;
    using BoolCalls::scatter;
    using BoolCalls::allToAll;
    using BoolCalls::reduce;
    using BoolCalls::allReduce;

    /// The root's graph on every rank, for instance broadcastGraph(ferry::graph(scene)). The graphs of the other ranks are ignored. On the
    /// root the result refers to the caller's objects and owns nothing.
    template <class T>
    Graph<T> broadcastGraph(const GraphRoot<T>& graph, int root = 0, GraphMemory memory = GraphMemory::Heap,
                            Deadline deadline = Deadline::never()) {
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return collectives_.broadcastGraph(graph, root, memory);
    }

    /// The root's value on every rank. The values of the other ranks are ignored. Contiguous sequences of one element type meet each other.
    template <class T>
    T broadcast(T value, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireSendable<T>();
        detail::requireOwner<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        if constexpr (detail::isBorrowedView<T>) {    // the error is told
            return value;
        } else if constexpr (detail::isPlainArray<T>) {    // meets vectors and spans
            detail::broadcastInto(collectives_, std::span<typename T::value_type>(value), root);
            return value;
        } else {
            return detail::broadcast(collectives_, value, root);
        }
    }

    /// Broadcasts plain elements into the span. Every rank gives a span of the same size.
    /// Errors: CollectiveMismatch on a rank whose span has another size than the root's.
    template <PlainData T, std::size_t extent>
        requires(!std::is_const_v<T>)
    void broadcast(std::span<T, extent> elements, int root = 0, Deadline deadline = Deadline::never()) {
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        detail::broadcastInto(collectives_, std::span<T>(elements), root);
    }

    /// Broadcasts the plain elements of a C array, as of a span.
    template <PlainData T, std::size_t count>
    void broadcast(T (&elements)[count], int root = 0, Deadline deadline = Deadline::never()) {
        broadcast(std::span<T>(elements), root, deadline);
    }

    /// Broadcasts the plain elements of an array of arrays, such as a double[3][3].
    template <class Row, std::size_t count>
        requires(std::is_array_v<Row>&& PlainData<std::remove_all_extents_t<Row>>)
    void broadcast(Row (&rows)[count], int root = 0, Deadline deadline = Deadline::never()) {
        using Element = std::remove_all_extents_t<Row>;
        broadcast(std::span<Element>(reinterpret_cast<Element*>(rows), sizeof(rows) / sizeof(Element)), root, deadline);
    }

    /// On the root: the values of all ranks, in the order of ranks. On the other ranks: an empty vector. The elements of a span, a C array
    /// or a vector with another allocator are gathered as those of a std::vector, and meet them. A std::array or std::string is a value.
    template <class T>
    detail::GatheredElements<T> gather(const T& value, int root = 0, Deadline deadline = Deadline::never()) {
        if constexpr (detail::Joined<T>) {
            return gather(detail::vectorFrom(value), root, deadline);
        } else {
            detail::requireTransportable<T>();
            checkRank(root);
            const DeadlineScope scope(mailbox_, deadline);
            return detail::gather<T, std::vector<T>>(collectives_, value, root, detail::AppendOne());
        }
    }

    /// On the root: the elements of all ranks' vectors, in the order of ranks. On the other ranks: an empty vector. The lengths of the
    /// vectors may differ.
    template <class T>
    std::vector<T> gather(const std::vector<T>& values, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::gather<std::vector<T>, std::vector<T>>(collectives_, values, root, detail::AppendAll());
    }

    /// Gathers plain elements like gather(): gather(mine, {.root = 2, .counts = counts}). Errors: those of the form with .into.
    template <detail::FlatRange Elements>
    auto gather(const Elements& elements, const GatherByValue& options) {
        std::vector<std::ranges::range_value_t<Elements>> all;
        gather(elements, {options.root, options.counts, {}, resized(all), options.countsOut, options.displacementsOut, options.deadline});
        return all;
    }

    /// Gathers into the caller's memory: gather(mine, {.root = 0, .into = buffer}). With displacements, elements of rank r begin at index
    /// displacements[r], and memory between the blocks stays as it is.
    /// Errors: UsageError on the root when the buffer is too small, or blocks would lie over each other. CollectiveMismatch when the counts
    /// are not those of the ranks.
    template <detail::ElementRange Elements>
    auto gather(const Elements& elements, const GatherOptions<std::ranges::range_value_t<Elements>>& options) {
        checkRank(options.root);
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::gatherToPlaces(collectives_, detail::spanOf(elements), options);
    }

    /// Returns when every rank has called barrier().
    void barrier(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        collectives_.barrier();
    }

    /// On the root: the values of all ranks, combined to one by the operator (Sum{}, or any function of two values). On the other ranks:
    /// T{}. The values are combined in the order of ranks, so the operator need not commute. Vectors must have one length, and are combined
    /// element by element.
    /// Errors: exceptions of the operator, and CollectiveMismatch for different lengths, on the root and on the ranks between.
    template <class T, class Operator>
    T reduce(const T& value, Operator combineTwo, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::reduce(collectives_, value, combineTwo, root);
    }

    /// Reduces like reduce(): reduce(mine, Sum{}, {.root = 2}).
    template <class T, class Operator>
    T reduce(const T& value, Operator combineTwo, const ReduceByValue& options) {
        return reduce(value, combineTwo, options.root, options.deadline);
    }

    /// Reduces plain elements into the caller's memory: reduce(mine, Sum{}, {.root = 0, .into = buffer}). Every rank has the same number of
    /// elements. Errors: UsageError on the root when the buffer is too small.
    template <detail::ElementRange Elements, class Operator>
    auto reduce(const Elements& elements, Operator combineTwo, const ReduceOptions<std::ranges::range_value_t<Elements>>& options) {
        checkRank(options.root);
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::reduceInto(collectives_, detail::spanOf(elements), combineTwo, options.into, options.root);
    }

    /// Reduces like reduce(), with the result and the errors on every rank.
    template <class T, class Operator>
    T allReduce(const T& value, Operator combineTwo, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allReduce(collectives_, value, combineTwo);
    }

    /// Reduces like allReduce(): allReduce(mine, Sum{}, {.deadline = deadline}).
    template <class T, class Operator>
    T allReduce(const T& value, Operator combineTwo, const AllReduceByValue& options) {
        return allReduce(value, combineTwo, options.deadline);
    }

    /// Reduces into the caller's memory on every rank: allReduce(mine, Sum{}, {.into = buffer}).
    template <detail::ElementRange Elements, class Operator>
    auto allReduce(const Elements& elements, Operator combineTwo, const AllReduceOptions<std::ranges::range_value_t<Elements>>& options) {
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::reduceInto(collectives_, detail::spanOf(elements), combineTwo, options.into, HostTeam::AllRanks);
    }

    /// The values of the ranks up to and including this one, combined as by reduce(). An error arrives on the rank where it happens and on
    /// all later ranks.
    template <class T, class Operator>
    T scan(const T& value, Operator combineTwo, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::scan(collectives_, value, combineTwo);
    }

    /// The values of the ranks before this one, combined as by reduce(). On rank 0, which has none before it: `first`, which is not
    /// combined with the values. So exclusiveScan(count, Sum{}) is the index of this rank's first element among those of all ranks.
    template <class T, class Operator>
    T exclusiveScan(const T& value, Operator combineTwo, std::type_identity_t<T> first = T{}, Deadline deadline = Deadline::never()) {
        detail::requireCombinable<T, Operator>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::exclusiveScan<T>(collectives_, value, combineTwo, std::move(first));
    }

    /// Combines the vectors of all ranks as reduce() does, and returns this rank's block of the result. lengths: the length of each rank's
    /// block; empty: the blocks are equal.
    /// Errors: on every rank UsageError when the vectors cannot be divided like this, and CollectiveMismatch for vectors of different
    /// lengths. On a rank whose block has another length on rank 0, CollectiveMismatch. Exceptions of the operator.
    template <class T, class Operator>
    std::vector<T> reduceScatter(const std::vector<T>& values, Operator combineTwo, const std::vector<std::size_t>& lengths = {},
                                 Deadline deadline = Deadline::never()) {
        detail::requireCombinable<std::vector<T>, Operator>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::reduceScatter(collectives_, values, combineTwo, lengths);
    }

    /// The values of all ranks, on every rank, in the order of ranks. A value that cannot be written or read is an error on every rank.
    /// Spans, C arrays and vectors with another allocator are gathered as by gather().
    template <class T>
    detail::GatheredElements<T> allGather(const T& value, Deadline deadline = Deadline::never()) {
        if constexpr (detail::Joined<T>) {
            return allGather(detail::vectorFrom(value), deadline);
        } else {
            detail::requireTransportable<T>();
            detail::requireCopyable<T>();
            const DeadlineScope scope(mailbox_, deadline);
            return detail::allGather<T, std::vector<T>>(collectives_, value, detail::AppendOne());
        }
    }

    /// The elements of all ranks' vectors, on every rank, in the order of ranks. The lengths of the vectors may differ.
    template <class T>
    std::vector<T> allGather(const std::vector<T>& values, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allGather<std::vector<T>, std::vector<T>>(collectives_, values, detail::AppendAll());
    }

    /// Gathers plain elements like allGather(): allGather(mine, {.countsOut = &counts}). Errors: those of the form with .into.
    template <detail::FlatRange Elements>
    auto allGather(const Elements& elements, const AllGatherByValue& options) {
        std::vector<std::ranges::range_value_t<Elements>> all;
        allGather(elements, {options.counts, {}, resized(all), options.countsOut, options.displacementsOut, options.deadline});
        return all;
    }

    /// Gathers into the caller's memory on every rank: allGather(mine, {.counts = counts, .into = buffer}). Errors: those of gather().
    template <detail::ElementRange Elements>
    auto allGather(const Elements& elements, const AllGatherOptions<std::ranges::range_value_t<Elements>>& options) {
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::allGatherToPlaces(collectives_, detail::spanOf(elements), options);
    }

    /// The root's element for this rank. The values of the other ranks are ignored. The elements may be vectors, whose lengths may differ.
    /// Errors: UsageError on every rank when the root does not have one element for each rank.
    template <class T>
    T scatter(const std::vector<T>& values, int root = 0, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        checkRank(root);
        const DeadlineScope scope(mailbox_, deadline);
        return detail::scatter(collectives_, values, root);
    }

    /// Scatters the elements of another contiguous sequence: a span, array, C array or vector with another allocator.
    template <detail::OnePerRank Range>
    auto scatter(const Range& values, int root = 0, Deadline deadline = Deadline::never()) {
        using Values = decltype(detail::vectorFrom(values));
        return scatter(rank() == root ? detail::vectorFrom(values) : Values(), root, deadline);
    }

    /// Scatters neighbouring elements and returns those for this rank: scatter(all, {.root = 0, .counts = counts}). counts[r] elements go
    /// to rank r; without counts, blocks of one length. Errors: those of the form with .into.
    template <detail::FlatRange Elements>
    auto scatter(const Elements& elements, const ScatterByValue& options) {
        std::vector<std::ranges::range_value_t<Elements>> own;
        scatter(elements, {options.root, options.counts, options.displacements, resized(own), options.deadline});
        return own;
    }

    /// Scatters neighbouring elements into the caller's memory: scatter(all, {.root = 0, .counts = counts, .into = buffer}). counts[r]
    /// elements go to rank r. Errors: UsageError on every rank when the counts do not fit the ranks and the elements. UsageError on a rank
    /// whose memory is too small.
    template <detail::ElementRange Elements>
    auto scatter(const Elements& elements, const ScatterOptions<std::ranges::range_value_t<Elements>>& options) {
        checkRank(options.root);
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::scatterFromPlaces(collectives_, detail::spanOf(elements), options);
    }

    /// Sends element r of the values to rank r. Element r of the result is the element of rank r for this rank. The elements may be
    /// vectors, whose lengths may differ.
    /// Small values of many ranks travel as in gridAllToAll(), if they are numbers or vectors of numbers and go by letters. Values go by
    /// letters between ranks of several hosts, or among a part of the ranks. Many means 32 ranks or more, small means at most 512 bytes
    /// from one rank to another. Errors: UsageError on every rank when a rank does not have one element for each rank.
    template <class T>
    std::vector<T> allToAll(const std::vector<T>& values, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<T>();
        detail::requireCopyable<T>();
        const DeadlineScope scope(mailbox_, deadline);
        return detail::allToAll(collectives_, values);
    }

    /// Exchanges the elements of another contiguous sequence: a span, array, C array or vector with another allocator.
    template <detail::OnePerRank Range>
    auto allToAll(const Range& values, Deadline deadline = Deadline::never()) {
        return allToAll(detail::vectorFrom(values), deadline);
    }

    /// Exchanges neighbouring elements, and returns those that come, in the order of ranks: allToAll(all, {.counts = counts}). counts[r]
    /// elements go to rank r; without counts, blocks of one length. Errors: those of scatter().
    template <detail::FlatRange Elements>
    auto allToAll(const Elements& elements, const AllToAllByValue& options) {
        std::vector<std::ranges::range_value_t<Elements>> incoming;
        allToAll(elements, {options.counts,
                            options.displacements,
                            options.countsFrom,
                            {},
                            resized(incoming),
                            options.countsOut,
                            options.displacementsOut,
                            options.deadline});
        return incoming;
    }

    /// Exchanges neighbouring elements, into the caller's memory: allToAll(all, {.counts = counts, .into = buffer}). counts[r] elements go
    /// to rank r. Errors: those of scatter().
    template <detail::ElementRange Elements>
    auto allToAll(const Elements& elements, const AllToAllOptions<std::ranges::range_value_t<Elements>>& options) {
        const DeadlineScope scope(mailbox_, options.deadline);
        return detail::allToAllByPlaces(collectives_, detail::spanOf(elements), options);
    }

    /// Sends each value to the rank under which it is listed, and returns the values of other ranks for this one. For exchanges in which a
    /// rank has values for a few others, and no rank knows its senders.
    /// Takes a range of pairs of a rank and a value, a view too. For a std::map or a std::unordered_map the result is a std::map by sender.
    /// For other ranges, such as a vector of pairs, a rank may get several values. The result then is a vector of pairs, in the order of
    /// senders. The values of one sender are in its order. Costs two messages for each value and two for each rank. Errors: UsageError for
    /// a rank that does not exist, on the rank that named it. A value that cannot be written is an error on its sender and its receiver. A
    /// value that cannot be read is an error on its receiver. All errors are thrown after the exchange, so that no rank waits.
    template <detail::PairsByRank Range>
    detail::SparseResult<Range> sparseAllToAll(Range&& outgoing, Deadline deadline = Deadline::never()) {
        detail::requireTransportable<detail::ValueByRank<Range>>();
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
        requires(!detail::PairsByRank<T>)
    void sparseAllToAll(T&&, const Rest&...) {
        static_assert(detail::never<T>,
                      "ferry: sparseAllToAll takes a range of pairs of a rank and a value, such as a std::map of values by rank (see T)");
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
        : BoolCalls(std::move(transport), factory),
          collectives_(mailbox_) {}
    ~CollectiveCalls() = default;

    Collectives collectives_;
};

}    // namespace ferry::detail
