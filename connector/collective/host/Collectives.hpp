#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ferry/connector/collective/course/CollectiveHistory.hpp>
#include <ferry/connector/collective/course/CollectiveLog.hpp>
#include <ferry/connector/collective/course/GivenUpCollectives.hpp>
#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/course/StartedCollectives.hpp>
#include <ferry/connector/collective/host/HostBoard.hpp>
#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/TimeoutError.hpp>
#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/ValueName.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry::detail {

/// The collectives on buffers of ints. All ranks call the same collectives in the same order. A number counts the collectives, so that
/// steps of different collectives never meet. The collectives wait in the mailbox, where a failure of another rank wakes them.
class Collectives {
public:
    /// The mailbox must outlive the object.
    explicit Collectives(Mailbox& mailbox);
    Collectives(const Collectives&) = delete;
    Collectives& operator=(const Collectives&) = delete;

    Mailbox& mailbox() noexcept { return mailbox_; }

    /// The type key of a collective that carries no values.
    static constexpr std::int32_t carriesNothing = 0;

    /// Sets up the board of the host. Where the ranks do not all run on one host, hostBoard() stays null. All ranks call findHost()
    /// together, before their first collective.
    void findHost();
    HostBoard* hostBoard() noexcept { return board_.get(); }

    /// Throws the exception for which another rank has given up this rank's current collective.
    void throwIfGivenUp(const Envelope& envelope);
    /// Describes in words that a wait is for the parts of these ranks.
    static std::string describePartOf(std::span<const int> ranks, const Envelope& envelope);

    /// Enters a collective of values of a type (namedValueKey), and does this rank's part: doPart(envelope of the steps). A TimeoutError, a
    /// Deadlock, a RankHasLeft, a std::bad_alloc or a mismatch with the calls of other ranks may end the part. This rank then gives the
    /// collective up, and all other ranks are told. A rank that waits for this rank's steps throws the same exception. Later steps are
    /// dropped. A LostRank is no reason to tell the others: every rank hears of the loss.
    ///
    /// Errors: LostRank when a rank is lost. CollectiveMismatch when another rank is in another collective at this place, or in this
    /// collective with values of another type. When the mismatch is noticed later, the next wait throws it. UsageError when the rank is in
    /// a collective already.
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
        } catch (const UsageError&) {
            if (isOfDropped()) giveUp(envelope);    // another thread has destroyed the connector: the other ranks would wait for this rank
            throw;
        } catch (const CollectiveMismatch&) {
            if (isContradicted(envelope)) giveUp(envelope);
            throw;
        }
    }

    /// Enters a collective that goes on in the background, and does this rank's first step of it. Errors: as perform(), except the errors
    /// of its steps.
    void start(Operation operation, int root, std::int32_t type, const std::shared_ptr<detail::StartedCollective>& collective) {
        const OneThread::Call call(mailbox_.thread());
        const Envelope envelope = enter(operation, root, type);
        try {
            started_.begin(collective, envelope);
        } catch (const std::bad_alloc&) {
            started_.giveUp(envelope, std::current_exception());    // the other ranks wait for this rank's steps
            throw;
        }
    }
    /// Waits until all collectives that this rank has started are done.
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
    /// The collectives that this rank has entered in the innermost region. Inner regions that did not fail are included.
    const CollectiveHistory& history() const noexcept { return history_; }
    void endRegion(const Mark& begin) noexcept;
    /// Ends a region that has failed. clock: the logical time of the failure. The collectives of the region count as never entered, so that
    /// all ranks count alike again.
    void goBack(const Mark& begin, std::int32_t clock);

    /// Returns when every rank has entered (dissemination barrier: log2(size) rounds). While an exception leaves a guarded region,
    /// barrier() returns at once, and the region fails.
    void barrier();

    // The next calls are made within perform(), with its envelope.

    /// Returns the root's letter on every rank. write writes the letter on the root. The body of the letter begins after the envelope. An
    /// exception of write on the root is thrown on every rank.
    template <class Write>
    Letter broadcast(const Envelope& envelope, int root, Write&& write) {
        if (mailbox_.transport().rank() == root) return broadcastFromRoot(envelope, root, packOwn(envelope, write));
        return receiveBroadcast(envelope, root);
    }

    /// Returns the root's graph on every rank. The graph comes in pieces, which are passed on while they are read. On the root the result
    /// refers to the caller's objects. When the root cannot write the graph, every rank throws the root's exception.
    template <class T>
    Graph<T> broadcastGraph(const GraphRoot<T>& graph, int root, GraphMemory memory) {
        return perform(Operation::GraphBroadcast, root, namedValueKey<T>(), [&](const Envelope& envelope) {
            const Transport& transport = mailbox_.transport();
            const TreePlace place = placeInTree(transport.rank(), transport.size(), root);
            if (place.parent != -1)
                return receiveGraph<T>(GraphReceiver(mailbox_, filterFor(envelope, place.parent), place.children), memory);
            sendGraph(GraphSender(mailbox_, place.children, envelope), graph);
            return detail::borrowedGraph(graph);
        });
    }

    /// Returns the letters of all ranks on the root, in the order of ranks; elsewhere none. An exception of write on a rank is thrown on
    /// the root, too.
    template <class Write>
    std::vector<Letter> gather(const Envelope& envelope, int root, Write&& write) {
        IntBuffer own = packOwn(envelope, write);
        if (mailbox_.transport().rank() == root) return gatherOnRoot(envelope, std::move(own));
        mailbox_.postInts(root, Channel::Data, std::move(own));
        return {};
    }

    /// Waits for the next step of rank from in this collective.
    Letter takeStep(const Envelope& envelope, int from);

    /// Leaves the collective for good. Called in the handler of the exception that is the reason. All other ranks throw the same exception,
    /// or have finished the collective.
    void giveUp(const Envelope& envelope);

    /// Waits for the outcome that rank from hands on in this collective.
    template <class T>
    detail::Outcome<T> takeOutcome(const Envelope& envelope, int from) {
        Letter letter = takeStep(envelope, from);
        detail::Outcome<T> outcome = detail::Outcome<T>::read(letter, mailbox_.factory());
        mailbox_.giveBack(std::move(letter));
        return outcome;
    }

    /// Returns rank 0's outcome on every rank. The outcomes that other ranks pass in are ignored.
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
    /// While this object lives, the rank is in a collective.
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
    /// Tells whether this rank is within a collective: in an operator, or in an object that is written or read for the collective.
    bool isNested() const noexcept;
    [[noreturn]] void refuseNested(const std::string& call) const;
    void noteContradiction(const CollectiveLog::Step& step);
    bool isOfDropped() const noexcept;
    bool isContradicted(const Envelope& envelope) const noexcept { return contradicted_ && isOfOneCollective(*contradicted_, envelope); }
    bool isWanted(const Letter& letter);
    void dropNotices(const Envelope& envelope);
    /// Packs a letter of this rank. When the letter cannot be written, the rank gives the collective up.
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
    SoleOwner<HostBoard> board_;
    CollectiveLog log_;
    GivenUpCollectives givenUp_;
    detail::StartedCollectives started_;
    std::optional<Envelope> inside_;          ///< the collective that the rank is in
    std::optional<Envelope> contradicted_;    ///< the latest collective in whose place another rank is elsewhere
    bool hasNotices_ = false;                 ///< the mailbox may keep notices of ranks that have given up
    std::uint32_t enteredCount_ = 0;
    CollectiveHistory history_;
};

}    // namespace ferry::detail
