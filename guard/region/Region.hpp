#pragma once

#include <sched.h>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

#include <ferry/connector/exception/ExceptionList.hpp>
#include <ferry/connector/exception/FailureRecord.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MatchedMessages.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/known/makeTestable.hpp>
#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/meeting/EntryBarrier.hpp>
#include <ferry/guard/meeting/WaitWatchdog.hpp>
#include <ferry/guard/meeting/Waiting.hpp>
#include <ferry/guard/region/DeferredCollectives.hpp>
#include <ferry/guard/region/EndWatch.hpp>
#include <ferry/guard/region/HeldBack.hpp>
#include <ferry/guard/region/Interrupted.hpp>
#include <ferry/guard/region/RegionSettings.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::pmpi {

class Region;

/// The innermost region that this process is in; null outside, which is all that a call of MPI looks at there.
extern Region* activeRegion __attribute__((visibility("hidden")));

/// The guarded region that this process is in: what the calls of MPI in it wait with, and how it ends when a rank fails.
///
/// A rank that hears of a failure stays inside its call, with all its buffers alive, until all ranks have met and the communicators are
/// quiet (Quiescence); then the call throws RegionFailed. While an exception unwinds the stack no call throws: destructors get control
/// back at once, with nothing done. So do functions that no exception can leave.
/// Ownership: borrows the channel.
class Region {
public:
    explicit Region(Channel& channel, const RegionSettings& settings = {});
    Region(const Region&) = delete;
    Region& operator=(const Region&) = delete;
    ~Region();

    /// Whether a call is to be made. False: the region is over, and nothing can be thrown: the stack is being unwound, or a function around
    /// the call is `noexcept`. Errors: RegionFailed.
    bool admits() { return !isOver_ || admitsNoMore(); }

    /// A communicator on which a call is made. Null: the call returns MPI_ERR_OTHER, as reject() says. Errors: UsageError for one that is
    /// not known or has ranks outside of the region.
    Communicator* use(const char* call, MPI_Comm handle) {
        Communicator* communicator = Communicators::ofProcess().find(handle);
        if (communicator == nullptr || communicator->checkedFor != channel_.serial() || communicator->regionRanks.empty()) [[unlikely]]
            return admit(call, communicator);
        return communicator;
    }
    /// The same for a message that is sent.
    Communicator* noteSend(const char* call, int destination, int tag, MPI_Comm handle);
    /// What the program may not do here. Where no exception can leave a function between here and the region, the region fails with this
    /// one all the same, and MPI_ERR_OTHER is for the call to return.
    int reject(const UsageError& error);

    Requests& requests() noexcept { return requests_; }
    const Requests& requests() const noexcept { return requests_; }
    void noteFreed(Communicator& communicator) noexcept;
    /// Whether it is the communicator on which the region was entered, or one that it is in.
    bool isGuarding(MPI_Comm handle) const noexcept {
        return handle == channel_.communicator() || (outer_ != nullptr && outer_->isGuarding(handle));
    }
    /// A request that is still under way, and that the program has let go.
    void letGo(MPI_Request request);
    /// A request that is over: it may have been started in a region that this one is in.
    void forget(MPI_Request request) noexcept;
    /// The region in which it was started, of this one and those that it is in; null: none.
    Region* ownerOf(MPI_Request request) noexcept;
    /// The messages that matched probes have taken, and that the program has not received.
    MatchedMessages& matched() noexcept { return matched_; }
    /// Of this region, or of one that it is in, when the program receives it.
    std::optional<MatchedMessage> takeMatched(MPI_Message message);

    /// A region inside of this one, which run() makes, and in which all ranks of the communicator take part, or none. It ends by itself: a
    /// failure outside of it is heard behind it. run() does not throw. Errors: RegionFailed; UsageError.
    void runInner(MPI_Comm communicator, const std::function<void()>& run);
    /// What has ended a region inside of this one, on the communicator.
    void noteInner(MPI_Comm communicator, const ExceptionList& list);
    /// If it is what noteInner() was told last: counts ranks as this region does.
    void translate(const ExceptionList& list, std::vector<FailureRecord>& records) const;

    /// Waits. False: another rank has failed, or this one, since what it waits for will never come. The caller then puts what it has
    /// started in requests(), and calls fail().
    template <class IsDone>
    bool waitUntil(const Waiting& waiting, IsDone isDone) {
        for (unsigned spinCount = 0;; ++spinCount) {
            if (!deferred_.isEmpty()) [[unlikely]]
                deferred_.advance();
            if (isDone()) return true;
            const bool isResting = spinCount >= spinsBeforeYield;
            if ((isResting || spinCount % spinsPerLook == spinsPerLook - 1) && channel_.look()) return false;
            if (isResting && rest(waiting, spinCount == spinsBeforeYield)) return false;
        }
    }
    /// Whether another rank has failed, as far as this one can know by now.
    bool look() {
        if (watchdog_.isOn()) channel_.rollCall().look();    // whoever asks what is over answers as one that waits
        return channel_.look();
    }

    /// Meets the others, and throws RegionFailed, or RankHasLeft where it waited in vain; or returns MPI_SUCCESS, while the stack is being
    /// unwound, and where no exception can leave a function between here and the region.
    int fail(Interrupted* interrupted = nullptr);

    /// Waits for a request that a call has started itself.
    int complete(const char* call, MPI_Request request, const Operation& operation, MPI_Status* status);
    /// A collective call: when all have come to it, the library's own.
    template <class Call>
    int collective(const char* name, MPI_Comm handle, Call call);
    /// What MPI_Barrier does besides waiting: MPI gets on with messages, of which others may wait for one.
    int advanceMessages() {
        channel_.look();
        return MPI_SUCCESS;
    }
    /// One that makes a communicator, a file or a window (MadeHandles.hpp).
    template <class Made, class Call>
    int create(const char* name, MPI_Comm parent, typename Made::Handle* made, Call call);
    /// One that ends a file or a window, and that destructors make: it does not throw when another rank fails meanwhile, but leaves the
    /// rest to the end of the region.
    int leave(const char* name, Communicator& communicator, const std::function<int()>& end);
    /// A non-blocking collective call.
    int defer(const char* name, MPI_Comm handle, MPI_Request* request, DeferredCollectives::Call call);
    DeferredCollectives& deferred() noexcept { return deferred_; }
    /// An access to a window. Nothing: it is to be made; else what it returns instead. Errors: UsageError.
    std::optional<int> access(const char* name, MPI_Win window);
    /// A non-blocking call on a file, on the guard's communicator for it, that waits for no other rank.
    template <class Call>
    int start(MPI_Comm handle, MPI_Request* request, Call call);

    /// An exception is about to leave the region: meets the others before the stack is unwound. The text says what it is; empty: that is
    /// not known yet.
    void failHere(const std::string& thrown) noexcept;
    /// The function has returned. Whether the region has succeeded.
    bool succeed();
    /// Whether the ranks have met after a failure.
    bool isOver() const noexcept { return isOver_; }
    /// Whether it was this rank that has failed, and not as a consequence.
    bool hasFailedItself() const noexcept { return hasFailedItself_; }
    /// Frees the communicators that all their ranks have freed in the region, and on which nothing is under way. Collective; through: one
    /// of all ranks of the region, in their order.
    void freeMarked(MPI_Comm through) noexcept;
    bool hasFreed() const noexcept { return hasFreed_; }

    /// A call that regions do not support. Whether it is to be made nevertheless.
    bool passes(const char* call);
    /// The names of those that were made nevertheless.
    const std::vector<std::string>& passedCalls() const noexcept { return passedCalls_; }
    const Channel& channel() const noexcept { return channel_; }
    /// What this rank has failed with, and could not throw there; null: nothing.
    const std::exception_ptr& withheld() const noexcept { return withheld_; }
    /// The rank for which this one has waited in vain, and so failed.
    const std::optional<Loss>& missed() const noexcept { return missed_; }

private:
    static constexpr unsigned spinsPerLook = 50;
    // Some hundred microseconds. Earlier, a rank on a busy machine would lose its core in every wait; Open MPI yields itself with too many
    // ranks.
    static constexpr unsigned spinsBeforeYield = 2000;

    bool rest(const Waiting& waiting, bool isFirst);
    bool haveAllCome(const char* name, Communicator& communicator, EntryBarrier& barrier);
    void awaitMeeting(Interrupted* interrupted);
    bool admitsNoMore();
    Communicator* admit(const char* call, Communicator* communicator);
    bool isUnwinding() const noexcept { return std::uncaught_exceptions() > uncaughtAtEntry_; }
    void meet(Interrupted* interrupted) noexcept;
    void meetAndQuiesce(Channel::Verdict own, Interrupted* interrupted) noexcept;
    static void release(std::vector<MPI_Request>& requests);
    void freeMarkedNowAndThen(const Communicator& communicator);
    bool isUnderWayOn(const Communicator& communicator) const;

    struct InnerFailure {
        ExceptionList list;
        std::vector<int> ranks;    ///< of this region, by rank of the inner one
    };

    void handOver();

    Channel& channel_;
    Region* outer_;    ///< in which this one is; null: none
    RegionSettings settings_;
    std::optional<InnerFailure> innerFailure_;
    Requests requests_;
    WaitWatchdog watchdog_{channel_, requests_};
    EndWatch endWatch_{channel_, requests_};
    std::optional<Loss> missed_;    ///< for which this rank has waited in vain
    HeldBack heldBack_;
    std::exception_ptr withheld_;    ///< of this rank itself
    MatchedMessages matched_;
    DeferredCollectives deferred_{channel_.entryTree()};
    std::vector<MPI_Request> letGo_;
    std::vector<MPI_Request> letGoPersistent_;
    std::vector<std::string> passedCalls_;
    std::uint32_t serial_;
    int uncaughtAtEntry_;
    bool isOver_ = false;
    bool hasFailedItself_ = false;
    bool hasFreed_ = false;
};

/// A barrier of the guard. False: as for waitUntil(); the barrier may be under way then.
inline bool Region::haveAllCome(const char* name, Communicator& communicator, EntryBarrier& barrier) {
    // Calls on one communicator are made in the same order everywhere.
    const auto haveDeferredBeenMade = [&] { return deferred_.haveAllBeenMadeOn(communicator); };
    if (!deferred_.isEmpty() &&
        !waitUntil({.call = name, .communicator = &communicator, .number = communicator.entered + 1}, haveDeferredBeenMade))
        return false;
    communicator.usedIn = serial_;
    ++communicator.entered;
    barrier = EntryBarrier(communicator);
    const auto isOver = [&] {
        if (barrier.isOver()) [[likely]]
            return true;
        if (barrier.isInMemory()) channel_.look();    // MPI gets on with messages that others may wait for
        return false;
    };
    return waitUntil({.call = name, .communicator = &communicator, .number = communicator.entered}, isOver);
}

template <class Call>
int Region::collective(const char* name, MPI_Comm handle, Call call) {
    if (!admits()) return MPI_SUCCESS;
    Communicator* const known = use(name, handle);
    if (known == nullptr) return MPI_ERR_OTHER;
    Communicator& communicator = *known;
    const auto make = [&] {
        freeMarkedNowAndThen(communicator);
        return call();
    };
    EntryBarrier barrier;
    if (haveAllCome(name, communicator, barrier)) [[likely]]
        return make();
    Interrupted interrupted{&communicator, barrier, communicator.entered, [&make] { make(); }};
    return fail(&interrupted);
}

template <class Made, class Call>
int Region::create(const char* name, MPI_Comm parent, typename Made::Handle* made, Call call) {
    *made = Made::none();
    const bool wasOver = isOver_;
    struct DropUnlessReturned {    // whoever was interrupted never hands it out
        ~DropUnlessReturned() {
            if (!region.isOver_ || wasOver) return;
            if (Communicator* communicator = Made::find(*made)) region.noteFreed(*communicator);
            *made = Made::none();
        }
        Region& region;
        typename Made::Handle* made;
        bool wasOver;
    } const drop{*this, made, wasOver};
    return collective(name, parent, [&] {
        const int result = call();
        Made::take(parent, result, *made);
        return result;
    });
}

template <class Call>
int Region::start(MPI_Comm handle, MPI_Request* request, Call call) {
    *request = MPI_REQUEST_NULL;
    if (!admits()) return MPI_SUCCESS;
    int result = call();
    if (result == MPI_SUCCESS) result = makeTestable(request);
    if (result == MPI_SUCCESS) requests_.add(*request, {RequestKind::File, MPI_PROC_NULL, MPI_ANY_TAG, handle});
    return result;
}

/// What a call that is not supported in regions does there: throws UsageError, or returns an error of MPI where nothing can be thrown.
/// Nothing: it is made as outside (RegionSettings).
std::optional<int> refuse(const char* call, const char* why);

}    // namespace ferry::pmpi
