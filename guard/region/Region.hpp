#pragma once

#include <sched.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/connector/exception/Deadlock.hpp>
#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/CallSignature.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/FreedRequests.hpp>
#include <ferry/guard/known/LaterCommunicator.hpp>
#include <ferry/guard/known/MatchedMessages.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/known/Turn.hpp>
#include <ferry/guard/known/endSignal.hpp>
#include <ferry/guard/known/makeTestable.hpp>
#include <ferry/guard/meeting/EntryBarrier.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/meeting/WaitWatchdog.hpp>
#include <ferry/guard/meeting/Waiting.hpp>
#include <ferry/guard/region/CallsAfterFailure.hpp>
#include <ferry/guard/region/DeferredCollectives.hpp>
#include <ferry/guard/region/EndWatch.hpp>
#include <ferry/guard/region/ExitOfProgram.hpp>
#include <ferry/guard/region/HeldBack.hpp>
#include <ferry/guard/region/Interrupted.hpp>
#include <ferry/guard/region/PresentCall.hpp>
#include <ferry/guard/region/RegionSettings.hpp>
#include <ferry/guard/region/StandstillWatch.hpp>
#include <ferry/guard/region/VainTests.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::pmpi {

class Region;

/// The innermost region that this process is in; null: no region. Outside of regions a call of MPI reads only this pointer.
extern Region* activeRegion __attribute__((visibility("hidden")));

/// The guarded region that this process is in. The calls of MPI in it wait by this object, which also ends the region when a rank fails.
///
/// A rank that hears of a failure stays inside its call, with all its buffers alive, until all ranks have met and the communicators are
/// quiet (Quiescence); then the call throws RegionFailed. While an exception unwinds the stack, no call throws: calls in destructors return
/// at once, with nothing done. So do calls in `noexcept` functions.
/// Ownership: borrows the meeting place.
class Region {
public:
    explicit Region(MeetingPlace& meetingPlace, const RegionSettings& settings = {});
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region();

    /// Whether a call is to be made. False: the region is over, and the call cannot throw, because the stack is being unwound or a function
    /// around the call is `noexcept`, or because calls return error codes: the call then returns answer(). handle: the communicator of the
    /// call. Errors: RegionFailed.
    bool admits(MPI_Comm handle = MPI_COMM_NULL) {
        ++callCount_;
        return (!isOver_ && !isAskedToEnd()) || admitsNoMore(handle);
    }
    /// The result of a call that is not made: MPI_SUCCESS, or the error code of the failure (WokenCalls).
    int answer() const noexcept { return answer_; }

    /// The data of a communicator on which a call is made. Null: the call returns MPI_ERR_OTHER (see reject()). Errors: UsageError for a
    /// communicator that is not known or has ranks outside of the region.
    Communicator* use(const char* call, MPI_Comm handle) {
        Communicator* communicator = Communicators::ofProcess().find(handle);
        if (communicator == nullptr || communicator->checkedFor != meetingPlace_.serial() || communicator->regionRanks.empty()) [[unlikely]]
            return admit(call, communicator);
        return communicator;
    }
    /// After use() without data: whether the call is to be made as outside of regions (RegionSettings).
    bool isPassing() const noexcept { return isPassing_; }
    /// Waits for a request on a communicator that the guard does not know. After a failure of another rank the request is given up.
    int completeUnknown(const char* call, MPI_Request request, const Operation& operation, MPI_Status* status);
    /// Like use(), for a message that is sent.
    Communicator* noteSend(const char* call, int destination, int tag, MPI_Comm handle);
    /// Rejects a call that regions do not allow: throws the error. If no exception can leave a function between the call and the region,
    /// the region fails with this error nevertheless. The call must then return MPI_ERR_OTHER.
    int reject(const UsageError& error);

    Requests& requests() noexcept { return requests_; }
    const Requests& requests() const noexcept { return requests_; }
    void noteFreed(Communicator& communicator) noexcept;
    /// Whether this is the communicator of this region or of a region around it.
    bool isGuarding(MPI_Comm handle) const noexcept {
        return handle == meetingPlace_.communicator() || (outer_ != nullptr && outer_->isGuarding(handle));
    }
    /// Notes a request that is under way and that the program has freed.
    void letGo(MPI_Request request);
    /// Removes a request that is over. The request may have been started in a region around this one.
    void forget(MPI_Request request) noexcept;
    /// The region in which the request was started: this one, or one around it; null: none.
    Region* ownerOf(MPI_Request request) noexcept;
    /// The messages that matched probes have taken and that the program has not received.
    MatchedMessages& matched() noexcept { return matched_; }
    /// Removes and returns a matched message of this region or of one around it, when the program receives it.
    std::optional<MatchedMessage> takeMatched(MPI_Message message);

    /// Runs a region inside of this one by run(). Either all ranks of the communicator take part, or none. The inner region ends by itself:
    /// a failure outside of it is noticed after it. run() must not throw. Errors: RegionFailed; UsageError.
    void runInner(MPI_Comm communicator, const std::function<void()>& run);
    /// Notes the failures that have ended a region inside of this one, on the communicator.
    void noteInner(MPI_Comm communicator, const ExceptionList& list);
    /// Changes the ranks of the records to those of this region, if `list` is the last list that noteInner() got.
    void translate(const ExceptionList& list, std::vector<detail::FailureRecord>& records) const;

    /// Waits. False: another rank has failed, or this rank has failed because it waits in vain. The caller then puts the requests that it
    /// has started into requests(), and calls fail().
    template <class IsDone>
    bool waitUntil(const Waiting& waiting, IsDone isDone) {
        for (std::uint64_t spinCount = 0;; ++spinCount) {
            if (!deferred_.isEmpty()) [[unlikely]] {
                deferred_.advance();
                if (haveDeferredDiffered()) return false;
            }
            const bool isResting = spinCount >= spinsBeforeYield;
            if (isDone()) {
                if (isResting) CallRing::ofProcess().noteWaitOver();
                return true;
            }
            if ((isResting || spinCount % spinsPerLook == spinsPerLook - 1) && (meetingPlace_.look() || failForSignal())) return false;
            if (isResting && rest(waiting, spinCount == spinsBeforeYield)) return false;
            Turn::letOthers();
        }
    }
    /// Whether another rank has failed, as far as this rank can know by now.
    bool look() {
        if (watchdog_.isOn()) meetingPlace_.rollCall().look();    // a rank that calls MPI_Test answers like a rank that waits
        return meetingPlace_.look() || haveDeferredDiffered() || failForSignal();
    }

    /// Notes a test that has found nothing, as the last part of a call that admits() has let through. True: a rank has failed, or this rank
    /// has failed since the ranks repeat tests in vain. The caller then calls fail().
    bool lookInVain(const VainTests::Test& test) {
        if (look()) return true;
        const VainTests::Step step = vainTests_.note(callCount_, test);
        return step != VainTests::Step::Nothing && watchTests(step);
    }
    /// Notes a test of handles that were no requests.
    void noteEmptyTest() noexcept { vainTests_.noteEmpty(callCount_); }
    /// Notes that handles of tests may be no handles any more.
    void endVainTests() noexcept { vainTests_.end(); }

    /// Whether look() holds, or a rank has told its failure past the tree of notices, in which ranks may wait for a lock
    /// (RollCall::tellFailure).
    bool lookAtLetters() {
        meetingPlace_.rollCall().look();
        return look();
    }

    /// Meets the other ranks, and throws RegionFailed, or RankHasLeft if the rank waited in vain. Returns answer() where admits() would
    /// return false. handle: the communicator of the call.
    int fail(MPI_Comm handle = MPI_COMM_NULL, Interrupted* interrupted = nullptr);

    /// Waits for a request that the call has started.
    int complete(const char* call, MPI_Request request, const Operation& operation, MPI_Status* status);
    /// Makes a collective call of the library when all ranks have come to it.
    template <class Call>
    int collective(const CallSignature& signature, MPI_Comm handle, Call call) {
        return collective(signature, handle, call, call);
    }
    /// plain: the call on a communicator that the guard does not know.
    template <class Call, class Plain>
    int collective(const CallSignature& signature, MPI_Comm handle, Call call, Plain plain);
    /// Gives MPI time to progress, as MPI_Barrier does while it waits: other ranks may wait for pending messages.
    int advanceMessages() {
        meetingPlace_.look();
        return MPI_SUCCESS;
    }
    /// Makes a collective call that creates a communicator, a file or a window (MadeHandles.hpp).
    template <class Made, class Call>
    int create(const CallSignature& signature, MPI_Comm parent, typename Made::Handle* made, Call call);
    /// Makes a call that ends a file, a window or a communicator. Destructors make such calls, so it does not throw when another rank fails
    /// meanwhile. The end of the region then does the rest.
    int leave(const char* name, Communicator& communicator, const std::function<int()>& end);
    /// Notes a non-blocking collective call.
    int defer(const CallSignature& signature, MPI_Comm handle, MPI_Request* request, DeferredCollectives::Call call);
    /// Notes a non-blocking collective call that makes a communicator. `made` gets it when the request is over.
    int createLater(const CallSignature& signature, MPI_Comm parent, const LaterResult& made, MPI_Request* request,
                    const std::function<int(MPI_Comm*, MPI_Request*)>& call);
    DeferredCollectives& deferred() noexcept { return deferred_; }
    /// Checks an access to a window. Empty: the access is to be made; otherwise the call returns the value. Errors: UsageError.
    std::optional<int> access(const char* name, MPI_Win window);
    /// Starts a non-blocking call on a file that waits for no other rank. handle: the guard's communicator for the file.
    template <class Call>
    int start(MPI_Comm handle, MPI_Request* request, Call call);

    /// Meets the other ranks before the stack is unwound: an exception is about to leave the region. thrown: the text of the exception;
    /// empty: not known yet.
    void failHere(const std::string& thrown) noexcept;
    /// Shortens the time that a failed rank waits for the others, for a rank that ends the job anyway.
    void hasten(std::chrono::milliseconds patience) noexcept { settings_.patience = std::min(settings_.patience, patience); }
    /// Notes that the program of this rank ends by exit(), or that main() has returned. Its handlers may still call MPI. When they wait in
    /// vain, or differ from other ranks, exit.failure is the failure of this rank. No call throws any more: no exception may pass handlers
    /// of exit() and destructors of static objects.
    void noteExit(ExitOfProgram exit) {
        exit_ = std::move(exit);
        uncaughtAtEntry_ = -1;
    }
    /// The end of this rank's program; null: it has not ended with a failure.
    const std::exception_ptr& exitFailure() const noexcept { return exit_.failure; }
    /// Ends the region after its function has returned. Returns whether the region has succeeded.
    bool succeed();
    /// Whether the ranks have met after a failure.
    bool isOver() const noexcept { return isOver_; }
    /// Whether this rank has failed by itself, not as a consequence.
    bool hasFailedItself() const noexcept { return hasFailedItself_; }
    /// Frees the communicators that all their ranks have freed in the region and that have no operation under way. Collective. through: a
    /// communicator of all ranks of the region, in their order.
    void freeMarked(MPI_Comm through) noexcept;
    bool hasFreed() const noexcept { return hasFreed_; }

    /// Whether the region is around a whole program that was not written for regions (RegionSettings).
    bool isAroundProgram() const noexcept { return settings_.makesUnsupportedCalls; }
    /// Notes a call that regions do not support. Returns whether it is to be made nevertheless.
    bool passes(const char* call);
    /// The names of unsupported calls that were made nevertheless.
    const std::vector<std::string>& passedCalls() const noexcept { return passedCalls_; }
    const MeetingPlace& meetingPlace() const noexcept { return meetingPlace_; }
    /// The number of this region, which is greater than those of all regions before it.
    std::uint32_t serial() const noexcept { return serial_; }
    /// The failure of this rank that it could not throw; null: none.
    const std::exception_ptr& withheld() const noexcept { return withheld_; }
    /// The mismatch for which this rank has failed.
    const std::optional<CollectiveMismatch>& mismatch() const noexcept { return mismatch_; }
    /// The deadlock for which this rank has failed: it speaks for all ranks.
    const std::optional<Deadlock>& deadlock() const noexcept { return deadlock_; }
    /// Whether the region has failed since no rank can go on.
    bool hasStoodStill() const noexcept { return meetingPlace_.verdict().hasStoodStill; }
    /// The signal for which this rank has failed.
    const std::optional<Terminated>& ended() const noexcept { return ended_; }
    /// The rank for which this rank has waited in vain, and so failed.
    const std::optional<detail::Loss>& missed() const noexcept { return missed_; }

private:
    static constexpr unsigned spinsPerLook = 50;
    // A few hundred microseconds. With an earlier yield, a rank on a busy machine would lose its core in every wait. Open MPI itself yields
    // when there are too many ranks.
    static constexpr unsigned spinsBeforeYield = 2000;

    static bool isAskedToEnd() noexcept { return endSignal.load(std::memory_order_relaxed) != 0; }
    /// Fails if a signal asks this rank to end. Returns whether it has failed so.
    bool failForSignal() { return isAskedToEnd() && endBySignal(); }
    bool endBySignal();
    bool rest(const Waiting& waiting, bool isFirst);
    bool watchTests(VainTests::Step step);
    bool failForStandstill(StandstillWatch::Finding finding);
    void callRoll(std::int64_t seconds);
    bool mayStillSpeak(int ended, const Waiting& waiting);
    bool failForCaught();
    bool failForExit();
    bool waitsBehindExit(bool isFirst);
    bool haveAllCome(const CallSignature& signature, Communicator& communicator, EntryBarrier& barrier);
    /// Makes the call when all ranks have come to it.
    template <class Make, class Plain>
    int makeTogether(const CallSignature& signature, MPI_Comm handle, Make make, Plain plain);
    bool noteDisagreement();
    /// Whether a non-blocking collective of this rank differs from that of another rank. Then this rank has failed.
    bool haveDeferredDiffered() { return deferred_.disagreement() && !hasDisagreed_ && noteDisagreement(); }
    void compareCalls();
    void awaitMeeting(Interrupted* interrupted);
    void releaseLocks() noexcept;
    [[noreturn]] void endByForce();
    bool admitsNoMore(MPI_Comm handle);
    std::optional<int> errorCode(MPI_Comm handle) const;
    Communicator* admit(const char* call, Communicator* communicator);
    /// For as long as this object lives, other ranks may wait for this rank in the MPI library's own call, where nobody can wake them.
    class InLibrary {
    public:
        explicit InLibrary(Region& region) : region_(region) { ++region_.inLibrary_; }
        InLibrary(const InLibrary&) = delete;
        InLibrary& operator=(const InLibrary&) = delete;
        ~InLibrary() { --region_.inLibrary_; }

    private:
        Region& region_;
    };
    bool isUnwinding() const noexcept { return std::uncaught_exceptions() > uncaughtAtEntry_; }
    void meet(Interrupted* interrupted) noexcept;
    void meetAndQuiesce(MeetingPlace::Verdict own, Interrupted* interrupted) noexcept;
    void freeOver();
    void freeMarkedNowAndThen(const Communicator& communicator);
    bool isUnderWayOn(const Communicator& communicator) const;

    struct InnerFailure {
        ExceptionList list;
        std::vector<int> ranks;    ///< ranks of this region, by rank of the inner region
    };

    void handOver();
    int deferOn(Communicator& communicator, const CallSignature& signature, MPI_Request* request, DeferredCollectives::Call call,
                std::shared_ptr<LaterCommunicator> made);

    MeetingPlace& meetingPlace_;
    Region* outer_;    ///< region around this one; null: none
    RegionSettings settings_;
    std::optional<InnerFailure> innerFailure_;
    Requests requests_;
    WaitWatchdog watchdog_{meetingPlace_, requests_};
    EndWatch endWatch_{meetingPlace_, requests_};
    StandstillWatch standstillWatch_{meetingPlace_, requests_, deferred_, passedCalls_};
    VainTests vainTests_;
    std::uint64_t callCount_ = 0;                                        ///< calls of MPI in the region
    bool standsStill_ = false;                                           ///< this rank has found out that no rank can go on
    std::optional<Deadlock> deadlock_;                                   ///< of this rank, which speaks for all
    std::optional<Terminated> ended_;                                    ///< of this rank, which a signal has asked to end
    std::optional<detail::Loss> missed_;                                 ///< rank for which this rank has waited in vain
    std::optional<std::chrono::steady_clock::time_point> toldMissed_;    ///< when a rank at its end was told that this rank misses it
    const PresentCall* present_ = nullptr;                               ///< the collective call that this rank is in; null: none
    bool hasDisagreed_ = false;                                          ///< the ranks of that call have come to calls that differ
    std::optional<CollectiveMismatch> mismatch_;                         ///< of this rank, which speaks for the ranks that disagree
    ExitOfProgram exit_;
    HeldBack heldBack_;
    CallsAfterFailure callsAfterFailure_;
    std::exception_ptr withheld_;    ///< failure of this rank itself
    MatchedMessages matched_;
    DeferredCollectives deferred_{meetingPlace_.entryTree()};
    FreedRequests freed_;
    std::vector<std::string> passedCalls_;
    std::uint32_t serial_;
    std::uint64_t locksBefore_;    ///< number of the last lock of a window before the region
    int uncaughtAtEntry_;
    int inLibrary_ = 0;    ///< calls of the library that all ranks make together, and that this rank is in
    int answer_ = MPI_SUCCESS;
    bool isPassing_ = false;
    bool isOver_ = false;
    bool hasFailedItself_ = false;
    bool hasFreed_ = false;
};

/// Enters a barrier of the guard and waits for it. False: as in waitUntil(), and the barrier may still be under way; or the ranks have come
/// to calls that differ.
inline bool Region::haveAllCome(const CallSignature& signature, Communicator& communicator, EntryBarrier& barrier) {
    const char* const name = signature.name();
    // Calls on one communicator are made in the same order on all ranks.
    const auto haveDeferredBeenMade = [&] { return deferred_.haveAllBeenMadeOn(communicator); };
    if (!deferred_.isEmpty() &&
        !waitUntil({.call = name, .communicator = &communicator, .number = communicator.entered + 1}, haveDeferredBeenMade))
        return false;
    communicator.usedIn = serial_;
    ++communicator.entered;
    CallRing::ofProcess().note({.name = name,
                                .number = communicator.entered,
                                .communicator = communicator.id,
                                .peer = signature.rootOr(CallRing::none),
                                .count = signature.count()});
    if (communicator.id == 0) CallRing::ofProcess().noteEnteredWorld(communicator.entered);
    barrier = EntryBarrier(communicator, signature.hash(communicator));
    const auto isOver = [&] {
        if (barrier.isOver()) [[likely]]
            return true;
        if (barrier.isInMemory()) meetingPlace_.look();    // MPI progresses messages that other ranks may wait for
        return false;
    };
    if (!waitUntil({.call = name, .communicator = &communicator, .number = communicator.entered}, isOver)) return false;
    return barrier.isAgreed() || !noteDisagreement();
}

template <class Make, class Plain>
int Region::makeTogether(const CallSignature& signature, MPI_Comm handle, Make make, Plain plain) {
    const Turn turn(signature.name());
    if (!admits(handle)) return answer_;
    Communicator* const known = use(signature.name(), handle);
    if (known == nullptr && isPassing_) {
        const Turn::Pause pause;
        return plain();
    }
    if (known == nullptr) return MPI_ERR_OTHER;
    Communicator& communicator = *known;
    const PresentCall present(present_, signature, communicator);
    const auto makeHere = [&] {
        const InLibrary inside(*this);
        freeMarkedNowAndThen(communicator);
        return make();
    };
    EntryBarrier barrier;
    if (haveAllCome(signature, communicator, barrier)) [[likely]]
        return makeHere();
    Interrupted interrupted{&communicator, barrier, communicator.entered, [&makeHere] { makeHere(); }};
    return fail(handle, &interrupted);
}

template <class Call, class Plain>
int Region::collective(const CallSignature& signature, MPI_Comm handle, Call call, Plain plain) {
    const auto make = [&] {
        const Turn::Pause pause;
        return call();
    };
    return makeTogether(signature, handle, make, plain);
}

template <class Made, class Call>
int Region::create(const CallSignature& signature, MPI_Comm parent, typename Made::Handle* made, Call call) {
    *made = Made::none();
    const Turn turn(signature.name());
    const bool wasOver = isOver_;
    struct DropUnlessReturned {    // an interrupted caller never gets the handle
        ~DropUnlessReturned() {
            if (!region.isOver_ || wasOver) return;
            if (Communicator* communicator = Made::find(*made)) region.noteFreed(*communicator);
            *made = Made::none();
        }
        Region& region;
        typename Made::Handle* made;
        bool wasOver;
    } const drop{*this, made, wasOver};
    const auto make = [&] {
        const int result = [&] {
            const Turn::Pause pause;
            return call();
        }();
        Made::take(parent, result, *made);
        return result;
    };
    const auto makeUnknown = [&] {
        const int result = call();
        Made::noteUnknown(parent, result, *made);
        return result;
    };
    return makeTogether(signature, parent, make, makeUnknown);
}

template <class Call>
int Region::start(MPI_Comm handle, MPI_Request* request, Call call) {
    *request = MPI_REQUEST_NULL;
    constexpr const char* name = "a non-blocking access to a file";
    const Turn turn(name);
    if (!admits(handle)) return answer_;
    CallRing::ofProcess().note({.name = name});
    int result = call();
    if (result == MPI_SUCCESS) result = makeTestable(request);
    if (result == MPI_SUCCESS) requests_.add(*request, {RequestKind::File, MPI_PROC_NULL, MPI_ANY_TAG, handle});
    return result;
}

/// The result of a call that regions do not support: throws UsageError, or returns an MPI error if the call cannot throw. Empty: the call
/// is made as outside of regions (RegionSettings).
std::optional<int> refuse(const char* call, const char* why);

}    // namespace ferry::pmpi
