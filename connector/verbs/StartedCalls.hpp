#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/collective/shape/Combinable.hpp>
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
/// Errors, from get() on the ranks that need the value: the exception that kept a value from being written, read or combined; RankHasLeft;
/// Cancelled when the guarded region in which the collective was started has failed. After a TimeoutError, a Deadlock or an exception that
/// is due at the connector, the value can still be taken later.
class StartedCalls : public CollectiveCalls {
public:
    /// A barrier that is ready when every rank has started it.
    Pending<void> startBarrier();

    template <class T>
    Pending<T> startBroadcast(T value, int root = 0) {
        detail::requireTransportable<T>();
        checkRank(root);
        return detail::startCollective<T>(collectives_, Operation::Broadcast, root, namedValueKey<T>(),
                                          [&](auto& own) { return detail::startedBroadcast(own, Outcome<T>(std::move(value)), root); });
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
        return allGatherJoined<Graph<T>, std::vector<Graph<T>>>(copiedAt(0, graph), detail::AppendOne()).get(deadline);
    }

    template <class T>
    Pending<std::vector<T>> startGather(T value, int root = 0) {
        return gatherJoined<T, std::vector<T>>(Outcome<T>(std::move(value)), root, detail::AppendOne());
    }
    template <class T>
    Pending<std::vector<T>> startGather(std::vector<T> values, int root = 0) {
        return gatherJoined<std::vector<T>, std::vector<T>>(Outcome<std::vector<T>>(std::move(values)), root, detail::AppendAll());
    }

    template <class T>
    Pending<std::vector<T>> startAllGather(T value) {
        return allGatherJoined<T, std::vector<T>>(Outcome<T>(std::move(value)), detail::AppendOne());
    }
    template <class T>
    Pending<std::vector<T>> startAllGather(std::vector<T> values) {
        return allGatherJoined<std::vector<T>, std::vector<T>>(Outcome<std::vector<T>>(std::move(values)), detail::AppendAll());
    }

    template <class T>
    Pending<T> startScatter(std::vector<T> values, int root = 0) {
        detail::requireTransportable<T>();
        checkRank(root);
        return detail::startCollective<T>(collectives_, Operation::Scatter, root, namedValueKey<T>(),
                                          [&](auto& own) { return detail::startedScatter(own, std::move(values), root); });
    }

    template <class T>
    Pending<std::vector<T>> startAllToAll(std::vector<T> values) {
        detail::requireTransportable<T>();
        return detail::startCollective<std::vector<T>>(collectives_, Operation::AllToAll, 0, namedValueKey<T>(),
                                                       [&](auto& own) { return detail::startedAllToAll(own, std::move(values)); });
    }

    template <class T, class Operator>
    Pending<T> startReduce(T value, Operator combineTwo, int root = 0) {
        detail::requireCombinable<T, Operator>();
        checkRank(root);
        return detail::startCollective<T>(collectives_, Operation::Reduce, root, namedValueKey<T>(), [&](auto& own) {
            return detail::startedReduce(own, Outcome<T>(std::move(value)), std::move(combineTwo), root);
        });
    }

    template <class T, class Operator>
    Pending<T> startAllReduce(T value, Operator combineTwo) {
        detail::requireCombinable<T, Operator>();
        return detail::startCollective<T>(collectives_, Operation::AllReduce, 0, namedValueKey<T>(), [&](auto& own) {
            return detail::startedAllReduce(own, Outcome<T>(std::move(value)), std::move(combineTwo));
        });
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

    template <class T, class All, class Join>
    Pending<All> allGatherJoined(Outcome<T> value, Join join) {
        detail::requireTransportable<T>();
        return detail::startCollective<All>(collectives_, Operation::AllGather, 0, namedValueKey<T>(),
                                            [&](auto& own) { return detail::startedAllGather<T, All>(own, std::move(value), join); });
    }
};

}    // namespace ferry::detail
