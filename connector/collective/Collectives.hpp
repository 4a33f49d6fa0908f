#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ferry/connector/collective/CollectiveHistory.hpp>
#include <ferry/connector/collective/CollectiveLog.hpp>
#include <ferry/connector/collective/GivenUpCollectives.hpp>
#include <ferry/connector/collective/HostBoard.hpp>
#include <ferry/connector/collective/Operation.hpp>
#include <ferry/connector/collective/Outcome.hpp>
#include <ferry/connector/collective/StartedCollectives.hpp>
#include <ferry/connector/collective/Tree.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/ValueName.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>

namespace ferry {

/// The collectives on buffers of ints. All ranks call the same ones in the same order; a number counts them, so that steps of different
/// collectives never meet. They wait in the mailbox: a failure of another rank wakes them.
class Collectives {
public:
    /// The mailbox must outlive the object.
    explicit Collectives(Mailbox& mailbox);
    Collectives(const Collectives&) = delete;
    Collectives& operator=(const Collectives&) = delete;

    Mailbox& mailbox() noexcept { return mailbox_; }

    /// The key of the type of values where there are none.
    static constexpr std::int32_t carriesNothing = 0;

    /// The board of the host; null when the ranks do not all run on one. All ranks together, before their first collective.
    void findHost();
    HostBoard* hostBoard() noexcept { return board_.get(); }

    /// Throws what another rank has given the collective up for, in which this rank is.
    void throwIfGivenUp(const Envelope& envelope);
    /// Says in words that a wait is for the parts of these ranks.
    static std::string describePartOf(std::span<const int> ranks, const Envelope& envelope);

    /// Enters a collective of values of a type (namedValueKey), and does this rank's part of it, part(envelope of its steps). When a
    /// TimeoutError, a Deadlock, a RankHasLeft, a std::bad_alloc or what other ranks call ends it, the rank has given the collective up.
    /// All other ranks are told. A rank that waits for its steps throws the same exception, and later steps are dropped. Errors:
    /// CollectiveMismatch when another rank is in another collective at this place, or in this one with values of another type. When that
    /// is noticed later, the next wait throws it. UsageError when the rank is in a collective already.
    template <class DoPart>
    auto perform(Operation operation, int root, std::int32_t type, const DoPart& doPart) {
        const OneThread::Call call(mailbox_.thread());
        const Envelope envelope = enter(operation, root, type);
        const InsideCollective inside(*this, envelope);
        try {
            return doPart(envelope);
        } catch (const TimeoutError&) {
            giveUp(envelope);
            throw;
        } catch (const Deadlock&) {
            giveUp(envelope);
            throw;
        } catch (const RankHasLeft&) {
            giveUp(envelope);
            throw;
        } catch (const std::bad_alloc&) {
            giveUp(envelope);
            throw;
        } catch (const CollectiveMismatch&) {
            if (isContradicted(envelope)) giveUp(envelope);
            throw;
        }
    }

    /// Enters a collective that goes on in the background, and does this rank's first step of it. Errors: as perform(), but for those of
    /// its steps.
    void start(Operation operation, int root, std::int32_t type, const std::shared_ptr<detail::StartedCollective>& collective) {
        const OneThread::Call call(mailbox_.thread());
        started_.begin(collective, enter(operation, root, type));
    }
    /// Waits until all that this rank has started are done.
    void finishStarted() { started_.finish(); }
    void finishStartedBefore(Mailbox::Clock::time_point deadline) { started_.finishBefore(deadline); }

    /// The collectives that a rank had entered at the beginning of a guarded region.
    struct Mark {
        std::uint32_t enteredCount = 0;
        HostBoard::Mark onBoard{};
        CollectiveHistory history{};
    };
    /// Errors: UsageError within a collective.
    Mark beginRegion();
    /// The collectives that this rank has entered in the innermost region, including those of inner regions that did not fail.
    const CollectiveHistory& history() const noexcept { return history_; }
    void endRegion(const Mark& begin) noexcept;
    /// Ends a region that has failed at this logical time. Its collectives are no longer counted, so that all ranks count alike again.
    void goBack(const Mark& begin, std::int32_t clock);

    /// Returns when every rank has entered (dissemination barrier: log2(size) rounds). While an exception leaves a guarded region it
    /// returns at once, and the region fails.
    void barrier();

    // Within perform(), with its envelope:

    /// The root's letter on every rank: on the root, the letter that was passed in; the body begins after the envelope. What write throws
    /// there is thrown on every rank.
    template <class Write>
    Letter broadcast(const Envelope& envelope, int root, Write&& write) {
        if (mailbox_.transport().rank() == root) return broadcastFromRoot(envelope, root, packOwn(envelope, write));
        return receiveBroadcast(envelope, root);
    }

    /// The root's graph on every rank, in pieces that are passed on while they are read; on the root it refers to the caller's objects.
    /// When the root cannot write it, every rank throws what was thrown there.
    template <class T>
    Graph<T> broadcastGraph(const GraphRoot<T>& graph, int root, GraphMemory memory) {
        return perform(Operation::GraphBroadcast, root, namedValueKey<T>(), [&](const Envelope& envelope) {
            const Transport& transport = mailbox_.transport();
            const TreePlace place = placeInTree(transport.rank(), transport.size(), root);
            if (place.parent != -1)
                return receiveGraph<T>(GraphReceiver(mailbox_, filterFor(envelope, place.parent), place.children), memory);
            sendGraph(GraphSender(mailbox_, place.children, envelope), graph);
            return Graph<T>(const_cast<T*>(graph.root), nullptr);
        });
    }

    /// On the root the letters of all ranks, in the order of ranks; elsewhere none. What write throws on a rank is thrown on the root, too.
    template <class Write>
    std::vector<Letter> gather(const Envelope& envelope, int root, Write&& write) {
        IntBuffer own = packOwn(envelope, write);
        if (mailbox_.transport().rank() == root) return gatherOnRoot(envelope, std::move(own));
        mailbox_.postInts(root, Channel::Data, std::move(own));
        return {};
    }

    /// The rank's next step in this collective.
    Letter takeStep(const Envelope& envelope, int from);

    /// Leaves the collective for good. To be called in the handler of the exception that is the reason. All other ranks throw the same
    /// exception, or have finished the collective.
    void giveUp(const Envelope& envelope);

    /// The outcome that the rank hands on in this collective.
    template <class T>
    detail::Outcome<T> takeOutcome(const Envelope& envelope, int from) {
        Letter letter = takeStep(envelope, from);
        detail::Outcome<T> outcome = detail::Outcome<T>::read(letter, mailbox_.factory());
        mailbox_.giveBack(std::move(letter));
        return outcome;
    }

    /// Rank 0's outcome on every rank; what the others pass in is ignored.
    template <class T>
    detail::Outcome<T> shareOutcome(const Envelope& envelope, detail::Outcome<T> outcome) {
        if (mailbox_.transport().rank() == 0) {
            mailbox_.giveBack(broadcastFromRoot(envelope, 0, outcome.pack(mailbox_, envelope)));
            return outcome;
        }
        Letter letter = receiveBroadcast(envelope, 0);
        outcome = detail::Outcome<T>::read(letter, mailbox_.factory());
        mailbox_.giveBack(std::move(letter));
        return outcome;
    }

private:
    /// While it lives, the rank is in a collective.
    class InsideCollective {
    public:
        InsideCollective(Collectives& collectives, const Envelope& envelope) noexcept;
        InsideCollective(const InsideCollective&) = delete;
        InsideCollective& operator=(const InsideCollective&) = delete;
        ~InsideCollective();

    private:
        Collectives& collectives_;
    };

    Envelope enter(Operation operation, int root, std::int32_t type);
    /// Is this rank within a collective, in an operator or in what is written or read for it?
    bool isNested() const noexcept;
    [[noreturn]] void refuseNested(const std::string& call) const;
    void noteContradiction(const CollectiveLog::Step& step);
    bool isContradicted(const Envelope& envelope) const noexcept { return contradicted_ && isOfOneCollective(*contradicted_, envelope); }
    bool isWanted(const Letter& letter);
    void dropNotices(const Envelope& envelope);
    /// A letter of this rank. When it cannot be written, the rank gives the collective up.
    template <class Write>
    IntBuffer packOwn(const Envelope& envelope, Write&& write) {
        try {
            return mailbox_.pack(envelope, write);
        } catch (...) {
            giveUp(envelope);
            throw;
        }
    }
    Letter broadcastFromRoot(const Envelope& envelope, int root, IntBuffer ints);
    Letter receiveBroadcast(const Envelope& envelope, int root);
    std::vector<Letter> gatherOnRoot(const Envelope& envelope, IntBuffer own);
    static Filter filterFor(const Envelope& envelope, int from) noexcept;
    Mailbox& mailbox_;
    std::unique_ptr<HostBoard> board_;
    CollectiveLog log_;
    GivenUpCollectives givenUp_;
    detail::StartedCollectives started_;
    std::optional<Envelope> inside_;          ///< the collective that the rank is in
    std::optional<Envelope> contradicted_;    ///< the latest in whose place another rank is elsewhere
    bool hasNotices_ = false;                 ///< some that came from ranks that have given up may be kept
    std::uint32_t enteredCount_ = 0;
    CollectiveHistory history_;
};

}    // namespace ferry
