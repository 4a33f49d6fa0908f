#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/shape/CollectiveOptions.hpp>
#include <ferry/connector/collective/shape/Combinable.hpp>
#include <ferry/connector/collective/started/StartedInto.hpp>
#include <ferry/connector/collective/started/StartedOperation.hpp>
#include <ferry/connector/collective/started/StartedReductions.hpp>
#include <ferry/connector/collective/started/StartedRoutines.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/message/pending/Pending.hpp>
#include <ferry/connector/verbs/CollectiveCalls.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/copyGraph.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

namespace ferry::detail {

/// The collectives that go on while their rank does other things. Each has the name of the blocking form after 'start', and the same
/// meaning. get() returns the value. All ranks start the same collectives in the same order, and call blocking ones at the same places in
/// between. Started collectives may be waited for in any order.
///
/// A started collective owns its values. It moves on whenever its rank uses the connector (poll() included), with or without a wait for it.
/// So a Pending that is dropped, or whose get() has thrown, keeps no other rank waiting. Operators, and functions that write and read
/// values, run within other calls of the connector. They must not wait in the connector themselves.
///
/// Forms with .into move plain elements to memory of the caller: startAllGather(mine, {.into = buffer}). The rank's own elements are copied
/// at the start. Only get() changes the memory, and returns the filled part. So the memory must exist until get() returns, and is as before
/// after a get() that throws. A Pending that is dropped never touches the memory. The vectors of .countsOut and .displacementsOut are
/// filled by get(), too. A deadline among the options is a UsageError: get() takes it.
///
/// Errors, from get() on the ranks that need the value: the exception that kept a value from being written, read or combined; RankHasLeft;
/// Cancelled when the guarded region in which the collective was started has failed. After a TimeoutError, a Deadlock or an exception that
/// is due at the connector, the value can still be taken later.
class StartedCalls : public CollectiveCalls {
public:
    using BoolCalls::startGather;
    using BoolCalls::startAllGather;
    using BoolCalls::startScatter;
    using BoolCalls::startAllToAll;
    using BoolCalls::startReduce;
    using BoolCalls::startAllReduce;

    /// A barrier that is ready when every rank has started it.
    Pending<void> startBarrier();

    template <class T>
    Pending<T> startBroadcast(T value, int root = 0) {
        detail::requireTransportable<T>();
        checkRank(root);
        return detail::startCollective<T>(collectives_, Operation::Broadcast, root, namedValueKey<T>(),
                                          [&](auto& own) { return detail::startedBroadcast(own, Outcome<T>(std::move(value)), root); });
    }

    /// Broadcasts plain elements into the span, by get(). Every rank gives a span of the same size. The root's elements are copied at once.
    /// Errors, from get(): CollectiveMismatch on a rank whose span has another size than the root's.
    template <PlainData T, std::size_t extent>
        requires(!std::is_const_v<T>)
    Pending<void> startBroadcast(std::span<T, extent> elements, int root = 0) {
        checkRank(root);
        std::vector<T> own = rank() == root ? detail::vectorOf<T>(elements) : std::vector<T>();
        return detail::startCollective<std::vector<T>>(
            collectives_, Operation::Broadcast, root, namedValueKey<std::vector<T>>(),
            [&](auto& collective) { return detail::startedBroadcast(collective, Outcome<std::vector<T>>(std::move(own)), root); },
            detail::FillAsOnRoot<T>{elements, rank(), root});
    }

    /// Starts to bring the root's graph to every rank. The graph is packed as a whole at once, so that its objects may change after the
    /// call. On the root the result refers to the caller's objects and owns nothing.
    template <class T>
    Pending<Graph<T>> startBroadcastGraph(const GraphRoot<T>& graph, int root = 0) {
        return startBroadcast(rank() == root ? detail::borrowedGraph(graph) : Graph<T>(), root);
    }

    /// On the root: copies of the graphs of all ranks, in the order of ranks. On the other ranks: an empty vector. Each graph travels as a
    /// whole.
    template <class T>
    std::vector<Graph<T>> gatherGraphs(const GraphRoot<T>& graph, int root = 0, Deadline deadline = Deadline::never()) {
        return gatherJoined<Graph<T>, std::vector<Graph<T>>>(copiedAt(root, graph), root, detail::AppendOne()).get(deadline);
    }
    /// Like gatherGraphs(), with the result on every rank.
    template <class T>
    std::vector<Graph<T>> allGatherGraphs(const GraphRoot<T>& graph, Deadline deadline = Deadline::never()) {
        return allGatherOutcome(copiedAt(0, graph)).get(deadline);
    }

    template <class T>
    Pending<std::vector<T>> startGather(T value, int root = 0) {
        return gatherJoined<T, std::vector<T>>(Outcome<T>(std::move(value)), root, detail::AppendOne());
    }
    template <class T>
    Pending<std::vector<T>> startGather(std::vector<T> values, int root = 0) {
        return gatherJoined<std::vector<T>, std::vector<T>>(Outcome<std::vector<T>>(std::move(values)), root, detail::AppendAll());
    }

    /// Gathers into the caller's memory on the root: startGather(mine, {.root = 2, .into = buffer}). Errors, from get(): those of gather().
    template <class Elements>
        requires detail::ElementRange<std::remove_cvref_t<Elements>>
    auto startGather(Elements&& elements, const GatherOptions<detail::ElementIn<Elements>>& options) {
        using T = detail::ElementIn<Elements>;
        detail::requireNoDeadline(options.deadline, "startGather");
        checkRank(options.root);
        std::vector<T> own = detail::ownedElements(std::forward<Elements>(elements));
        return detail::startCollective<std::vector<std::vector<T>>>(
            collectives_, Operation::Gather, options.root, namedValueKey<std::vector<T>>(),
            [&](auto& collective) {
                return detail::startedGather<std::vector<T>, std::vector<std::vector<T>>>(
                    collective, Outcome<std::vector<T>>(std::move(own)), options.root, detail::AppendOne());
            },
            detail::joinParts("gather", rank(), options));
    }

    template <class T>
    Pending<std::vector<T>> startAllGather(T value) {
        return allGatherOutcome(Outcome<T>(std::move(value)));
    }
    template <class T>
    Pending<std::vector<T>> startAllGather(std::vector<T> values) {
        detail::requireTransportable<std::vector<T>>();
        return detail::startCollective<std::vector<T>>(collectives_, Operation::AllGather, 0, namedValueKey<std::vector<T>>(),
                                                       [&](auto& own) { return detail::startedAllGatherElements(own, std::move(values)); });
    }

    /// Gathers into the caller's memory on every rank: startAllGather(mine, {.counts = counts, .into = buffer}). Errors, from get(): those
    /// of allGather().
    template <class Elements>
        requires detail::ElementRange<std::remove_cvref_t<Elements>>
    auto startAllGather(Elements&& elements, const AllGatherOptions<detail::ElementIn<Elements>>& options) {
        using T = detail::ElementIn<Elements>;
        detail::requireNoDeadline(options.deadline, "startAllGather");
        std::vector<T> own = detail::ownedElements(std::forward<Elements>(elements));
        return detail::startCollective<std::vector<std::vector<T>>>(
            collectives_, Operation::AllGather, 0, namedValueKey<std::vector<T>>(),
            [&](auto& collective) { return detail::startedAllGather(collective, Outcome<std::vector<T>>(std::move(own))); },
            detail::joinParts("allGather", rank(), options));
    }

    template <class T>
    Pending<T> startScatter(std::vector<T> values, int root = 0) {
        detail::requireTransportable<T>();
        checkRank(root);
        return detail::startCollective<T>(collectives_, Operation::Scatter, root, namedValueKey<T>(), [&](auto& own) {
            return detail::startedScatter(own, detail::Outcome<std::vector<T>>(std::move(values)), root);
        });
    }

    /// Scatters neighbouring elements into the caller's memory: startScatter(all, {.counts = counts, .into = buffer}). counts[r] elements
    /// go to rank r. Errors, from get(): those of scatter().
    template <class Elements>
        requires detail::ElementRange<std::remove_cvref_t<Elements>>
    auto startScatter(Elements&& elements, const ScatterOptions<detail::ElementIn<Elements>>& options) {
        using T = detail::ElementIn<Elements>;
        detail::requireNoDeadline(options.deadline, "startScatter");
        checkRank(options.root);
        std::vector<T> all = rank() == options.root ? detail::ownedElements(std::forward<Elements>(elements)) : std::vector<T>();
        return detail::startCollective<std::vector<T>>(
            collectives_, Operation::Scatter, options.root, namedValueKey<std::vector<T>>(),
            [&](auto& collective) {
                return detail::startedScatterOfParts(collective, std::move(all), detail::listOf(options.counts),
                                                     detail::listOf(options.displacements), options.root);
            },
            detail::FillMemory<T>{options.into});
    }

    template <class T>
    Pending<std::vector<T>> startAllToAll(std::vector<T> values) {
        detail::requireTransportable<T>();
        return detail::startCollective<std::vector<T>>(collectives_, Operation::AllToAll, 0, namedValueKey<T>(), [&](auto& own) {
            return detail::startedAllToAll(own, detail::Outcome<std::vector<T>>(std::move(values)));
        });
    }

    /// Exchanges neighbouring elements, into the caller's memory: startAllToAll(all, {.counts = counts, .into = buffer}). counts[r]
    /// elements go to rank r. Errors, from get(): those of allToAll().
    template <class Elements>
        requires detail::ElementRange<std::remove_cvref_t<Elements>>
    auto startAllToAll(Elements&& elements, const AllToAllOptions<detail::ElementIn<Elements>>& options) {
        using T = detail::ElementIn<Elements>;
        detail::requireNoDeadline(options.deadline, "startAllToAll");
        std::vector<T> all = detail::ownedElements(std::forward<Elements>(elements));
        return detail::startCollective<std::vector<std::vector<T>>>(
            collectives_, Operation::AllToAll, 0, namedValueKey<std::vector<T>>(),
            [&](auto& collective) {
                return detail::startedAllToAllOfParts(collective, std::move(all), detail::listOf(options.counts),
                                                      detail::listOf(options.displacements));
            },
            detail::JoinParts<T>{"allToAll", rank(), detail::listOf(options.countsFrom), detail::listOf(options.displacementsFrom),
                                 options.into, options.countsOut, options.displacementsOut});
    }

    template <class T, class Operator>
    Pending<T> startReduce(T value, Operator combineTwo, int root = 0) {
        detail::requireCombinable<T, Operator>();
        checkRank(root);
        return detail::startCollective<T>(collectives_, Operation::Reduce, root, namedValueKey<T>(), [&](auto& own) {
            return detail::startedReduce(own, Outcome<T>(std::move(value)), std::move(combineTwo), root);
        });
    }

    /// Reduces plain elements into the caller's memory on the root: startReduce(mine, Sum{}, {.root = 2, .into = buffer}). Errors, from
    /// get(): those of reduce().
    template <class Elements, class Operator>
        requires detail::ElementRange<std::remove_cvref_t<Elements>>
    auto startReduce(Elements&& elements, Operator combineTwo, const ReduceOptions<detail::ElementIn<Elements>>& options) {
        using T = detail::ElementIn<Elements>;
        detail::requireCombinable<std::vector<T>, Operator>();
        detail::requireNoDeadline(options.deadline, "startReduce");
        checkRank(options.root);
        std::vector<T> own = detail::ownedElements(std::forward<Elements>(elements));
        return detail::startCollective<std::vector<T>>(
            collectives_, Operation::Reduce, options.root, namedValueKey<std::vector<T>>(),
            [&](auto& collective) {
                return detail::startedReduce(collective, Outcome<std::vector<T>>(std::move(own)), std::move(combineTwo), options.root);
            },
            detail::FillMemory<T>{options.into, rank() == options.root});
    }

    template <class T, class Operator>
    Pending<T> startAllReduce(T value, Operator combineTwo) {
        detail::requireCombinable<T, Operator>();
        return detail::startCollective<T>(collectives_, Operation::AllReduce, 0, namedValueKey<T>(), [&](auto& own) {
            return detail::startedAllReduce(own, Outcome<T>(std::move(value)), std::move(combineTwo));
        });
    }

    /// Reduces plain elements into the caller's memory on every rank: startAllReduce(mine, Sum{}, {.into = buffer}). Errors, from get():
    /// those of allReduce().
    template <class Elements, class Operator>
        requires detail::ElementRange<std::remove_cvref_t<Elements>>
    auto startAllReduce(Elements&& elements, Operator combineTwo, const AllReduceOptions<detail::ElementIn<Elements>>& options) {
        using T = detail::ElementIn<Elements>;
        detail::requireCombinable<std::vector<T>, Operator>();
        detail::requireNoDeadline(options.deadline, "startAllReduce");
        std::vector<T> own = detail::ownedElements(std::forward<Elements>(elements));
        return detail::startCollective<std::vector<T>>(
            collectives_, Operation::AllReduce, 0, namedValueKey<std::vector<T>>(),
            [&](auto& collective) {
                return detail::startedAllReduce(collective, Outcome<std::vector<T>>(std::move(own)), std::move(combineTwo));
            },
            detail::FillMemory<T>{options.into});
    }

    /// lengths: the length of each rank's block; empty: the blocks are equal.
    template <class T, class Operator>
    Pending<std::vector<T>> startReduceScatter(std::vector<T> values, Operator combineTwo, std::vector<std::size_t> lengths = {}) {
        detail::requireCombinable<std::vector<T>, Operator>();
        return detail::startCollective<std::vector<T>>(collectives_, Operation::ReduceScatter, 0, namedValueKey<T>(), [&](auto& own) {
            return detail::startedReduceScatter(own, std::move(values), std::move(combineTwo), std::move(lengths));
        });
    }

    template <class T, class Operator>
    Pending<T> startScan(T value, Operator combineTwo) {
        detail::requireCombinable<T, Operator>();
        return detail::startCollective<T>(collectives_, Operation::Scan, 0, namedValueKey<T>(), [&](auto& own) {
            return detail::startedScan(own, Outcome<T>(std::move(value)), std::move(combineTwo));
        });
    }

    /// first: the value that rank 0 gets.
    template <class T, class Operator>
    Pending<T> startExclusiveScan(T value, Operator combineTwo, std::type_identity_t<T> first = T{}) {
        detail::requireCombinable<T, Operator>();
        return detail::startCollective<T>(collectives_, Operation::ExclusiveScan, 0, namedValueKey<T>(), [&](auto& own) {
            return detail::startedExclusiveScan(own, Outcome<T>(std::move(value)), std::move(combineTwo), Outcome<T>(std::move(first)));
        });
    }

    template <class T, class... Rest>
        requires(!std::ranges::range<T>)
    void startScatter(const T&, const Rest&...) {
        static_assert(detail::never<T>, "ferry: startScatter takes a std::vector with one element for each rank (see T)");
    }
    template <class T, class... Rest>
        requires(!std::ranges::range<T>)
    void startAllToAll(const T&, const Rest&...) {
        static_assert(detail::never<T>, "ferry: startAllToAll takes a std::vector with one element for each rank (see T)");
    }

    /// Waits until all collectives that this rank has started are done, with or without a Pending; for instance before the rank's program
    /// ends. Throws due exceptions of the connector, not the failures of the collectives.
    void finishStarted(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope(mailbox_, deadline);
        collectives_.finishStarted();
    }

    /// Finishes the started collectives at the end of a program, after which this rank takes no further part. Waits until the deadline at
    /// most, or until the job is stopped. Throws nothing that is due.
    void finishStartedBefore(Mailbox::Clock::time_point deadline) { collectives_.finishStartedBefore(deadline); }

protected:
    using CollectiveCalls::CollectiveCalls;
    ~StartedCalls() = default;

private:
    /// A rank's own graph in a collective: a copy on the rank that keeps it for the result. A graph that cannot be copied is a failure of
    /// the collective, so that no rank waits for this one.
    template <class T>
    Outcome<Graph<T>> copiedAt(int keeper, const GraphRoot<T>& graph) {
        return Outcome<Graph<T>>::of([&] { return rank() == keeper ? copyGraph(graph) : detail::borrowedGraph(graph); });
    }

    template <class T, class All, class Join>
    Pending<All> gatherJoined(Outcome<T> value, int root, Join join) {
        detail::requireTransportable<T>();
        checkRank(root);
        return detail::startCollective<All>(collectives_, Operation::Gather, root, namedValueKey<T>(),
                                            [&](auto& own) { return detail::startedGather<T, All>(own, std::move(value), root, join); });
    }

    template <class T>
    Pending<std::vector<T>> allGatherOutcome(Outcome<T> value) {
        detail::requireTransportable<T>();
        return detail::startCollective<std::vector<T>>(collectives_, Operation::AllGather, 0, namedValueKey<T>(),
                                                       [&](auto& own) { return detail::startedAllGather(own, std::move(value)); });
    }
};

}    // namespace ferry::detail
