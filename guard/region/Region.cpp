#include <ferry/guard/region/Region.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <thread>
#include <typeinfo>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/RegionFailed.hpp>
#include <ferry/connector/transport/mpi/MpiRegionFlag.hpp>
#include <ferry/guard/known/FilesAndWindows.hpp>
#include <ferry/guard/known/IdLists.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/ReservedTags.hpp>
#include <ferry/guard/known/WindowLocks.hpp>
#include <ferry/guard/meeting/Membership.hpp>
#include <ferry/guard/meeting/Standing.hpp>
#include <ferry/guard/meeting/rollCallText.hpp>
#include <ferry/guard/region/CallComparison.hpp>
#include <ferry/guard/region/Quiescence.hpp>
#include <ferry/guard/region/rebuilt.hpp>
#include <ferry/serialization/exception/LastThrow.hpp>
#include <ferry/serialization/exception/PrintableText.hpp>
#include <ferry/serialization/exception/ThrowRecord.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/serialization/ints/TypeName.hpp>

namespace ferry::pmpi {

namespace {

/// The name of an open operation that an inner region would disturb when it fails, since its collectives and markers would meet this one;
/// null: none.
const char* obstacleAmong(const Requests& requests) {
    for (const Requests::Entry& entry : requests.all()) {
        if (entry.operation.kind == RequestKind::Collective) return "a non-blocking collective";
        if (entry.operation.kind == RequestKind::Receive && entry.operation.tag == MPI_ANY_TAG) return "a receive from any tag";
    }
    return nullptr;
}

// The beginnings of the texts of a Deadlock.
constexpr const char* allWait = "ferry::Deadlock: no rank can go on, and no message is under way";
constexpr const char* allTest = "ferry::Deadlock: all ranks wait, or repeat tests that find nothing, and no message is under way";
constexpr const char* standsStill = "ferry::Deadlock: the job has stood still for FERRY_GUARD_STANDSTILL seconds";
constexpr const char* vainTestsLine =
    "ferry: all ranks wait, or repeat tests that find nothing, and no message is under way. A rank that repeats tests may go on by itself, "
    "so the "
    "job goes on. FERRY_GUARD_POLLING=60 would end it after 60 s of this\n";
constexpr const char* callsDiffer = "ranks do not agree on a collective";    // until the calls are compared

std::uint32_t nextRegionSerial() {
    static std::uint32_t last = 0;
    return ++last;
}

}    // namespace

Region* activeRegion = nullptr;
std::atomic<int> endSignal{0};
std::atomic<std::uint64_t> endSignalProgress{0};

Region::Region(MeetingPlace& meetingPlace, const RegionSettings& settings)
    : meetingPlace_(meetingPlace),
      outer_(activeRegion),
      settings_(settings),
      heldBack_(settings.goesOn != nullptr ? HeldBack::forever : settings.patience),
      callsAfterFailure_(settings.patience),
      serial_(nextRegionSerial()),
      locksBefore_(WindowLocks::ofProcess().lastNumber()),
      uncaughtAtEntry_(std::uncaught_exceptions()) {
    meetingPlace_.beginRegion();
    activeRegion = this;
    detail::MpiRegionFlag::set(true);
}

Region::~Region() {
    if (outer_ != nullptr) handOver();
    meetingPlace_.endRegion();
    activeRegion = outer_;
    detail::MpiRegionFlag::set(outer_ != nullptr);
}

/// Rests in a wait. True: the wait is in vain, and so this rank has failed.
bool Region::rest(const Waiting& waiting, bool isFirst) {
    sched_yield();
    meetingPlace_.rollCall().look();
    if (exit_.failure && !waiting.isEnd && !waiting.callsNoMore && waitsBehindExit(isFirst)) return true;
    if (isFirst) {
        watchdog_.begin();
        endWatch_.begin();
        standstillWatch_.begin();
        return false;
    }
    if (watchdog_.isOn()) watchdog_.look(waiting);
    if ((waiting.isEnd || waiting.callsNoMore) && meetingPlace_.rollCall().missing()) return failForCaught();
    const std::optional<int> ended = endWatch_.look(waiting);
    if (!ended) [[likely]] {
        const auto finding = standstillWatch_.look(waiting);
        return finding != StandstillWatch::Finding::Nothing && failForStandstill(finding);
    }
    if (exit_.failure) return failForExit();
    if (mayStillSpeak(*ended, waiting)) return false;
    missed_ = detail::Loss{*ended, fmt::format("has come to the end of the region, but this rank waits for it in {}", waiting.call)};
    hasFailedItself_ = true;
    meetingPlace_.tell(meetingPlace_.rank(), missed_->text());
    return true;
}

/// Looks at a spell of tests that find nothing. True: this rank has failed, since no rank can go on.
bool Region::watchTests(VainTests::Step step) {
    meetingPlace_.rollCall().look();
    const std::vector<MPI_Request> requests = vainTests_.requests();
    const std::vector<Operation> operations = vainTests_.operations();
    const Waiting waiting{
        .call = vainTests_.call(), .operations = operations, .requests = requests, .areTests = true, .mayCompute = vainTests_.mayCompute()};
    if (step == VainTests::Step::Begun) standstillWatch_.begin(vainTests_.begin());
    CallRing::ofProcess().noteVainTest();
    const auto finding = standstillWatch_.lookNow(waiting);
    return finding != StandstillWatch::Finding::Nothing && failForStandstill(finding);
}

/// Fails for all ranks, none of which can go on. Returns true. For tests in vain of a job that goes on, tells them and returns false.
bool Region::failForStandstill(StandstillWatch::Finding finding) {
    if (finding == StandstillWatch::Finding::VainTests) {
        std::fputs(vainTestsLine, stderr);
        if (settings_.showRoll != nullptr) settings_.showRoll();
        return false;
    }
    const bool isDeadlock = finding != StandstillWatch::Finding::Standstill;
    standsStill_ = true;
    // Ranks that do not wait may never come to the meeting, in which the ranks make a roll call. So it is made here.
    if (!isDeadlock && settings_.callRoll != nullptr) settings_.callRoll();
    hasFailedItself_ = true;
    meetingPlace_.tell(meetingPlace_.rank(), !isDeadlock ? standsStill : finding == StandstillWatch::Finding::Deadlock ? allWait : allTest);
    return true;
}

/// Makes a roll call of the ranks, which have met since no rank can go on. One of them fails with it; the others are woken by it. seconds:
/// how long this rank has waited.
void Region::callRoll(std::int64_t seconds) {
    RollNote own = noteOf(meetingPlace_.rank(), standingHere(), seconds);
    if (const Communicator* known = Communicators::ofProcess().withId(own.communicator)) own.communicatorSize = known->size;
    std::vector<RollNote> notes(static_cast<std::size_t>(meetingPlace_.size()));
    must(PMPI_Allgather(&own, sizeof own, MPI_BYTE, notes.data(), sizeof own, MPI_BYTE, meetingPlace_.own()), "MPI_Allgather");
    const int mine = standsStill_ ? meetingPlace_.rank() : meetingPlace_.size();
    int speaker = mine;
    must(PMPI_Allreduce(&mine, &speaker, 1, MPI_INT, MPI_MIN, meetingPlace_.own()), "MPI_Allreduce");
    const std::string& told = meetingPlace_.failedText();
    const std::string reason = told == standsStill || told == allTest ? told : allWait;
    if (speaker == meetingPlace_.rank())
        deadlock_ = Deadlock(fmt::format("{}: {}", reason.substr(reason.find(": ") + 2), rollCallText(std::move(notes))));
}

/// Whether the rank at its end, for which this rank waits in vain, may still fail with the exception that it has caught. That exception is
/// the better cause.
bool Region::mayStillSpeak(int ended, const Waiting& waiting) {
    constexpr std::chrono::seconds timeToSpeak{3};
    if (!meetingPlace_.rollCall().hasCaught(ended)) return false;
    const auto now = std::chrono::steady_clock::now();
    if (!toldMissed_) {
        meetingPlace_.rollCall().tellMissed(ended, waiting.call);
        toldMissed_ = now;
    }
    return now - *toldMissed_ < timeToSpeak;
}

/// Fails for the end of this rank's program. Returns whether the rank has failed so: not when some rank has failed already.
bool Region::failForExit() {
    if (!exit_.failure || hasFailedItself_ || meetingPlace_.failedRank() >= 0) return false;
    withheld_ = exit_.failure;
    hasFailedItself_ = true;
    meetingPlace_.tell(meetingPlace_.rank(), exit_.notice);
    return true;
}

/// Looks at a wait in a handler of exit(), after a failure of the program. Other ranks may come to the same call, as long as they do so
/// soon. True: this rank has failed.
bool Region::waitsBehindExit(bool isFirst) {
    constexpr std::chrono::seconds patienceBehindExit{3};
    const auto now = std::chrono::steady_clock::now();
    if (isFirst) exit_.waitsSince = now;
    return now - exit_.waitsSince > patienceBehindExit && failForExit();
}

/// For a rank at its end, for which another rank waits in vain: fails with the end of its program, or with the exception that this rank has
/// caught. Returns whether it has failed.
bool Region::failForCaught() {
    if (exit_.failure) return failForExit();
    const std::optional<detail::LastThrow> caught = detail::LastThrow::ofProcess();
    if (!caught || hasFailedItself_ || meetingPlace_.failedRank() >= 0) return false;
    const RollCall::Missing& missing = *meetingPlace_.rollCall().missing();
    const std::string remark = fmt::format("rank {} has caught it and come to its end, while rank {} waits for it in {}",
                                           meetingPlace_.rank(), missing.rank, missing.call);
    withheld_ = rebuilt(*caught, {{"handling", remark}});
    hasFailedItself_ = true;
    meetingPlace_.tell(meetingPlace_.rank(), caught->summary());
    return true;
}

/// Takes the signal that has come. Returns whether this rank fails for it: not when some rank has failed already.
bool Region::endBySignal() {
    constexpr auto patienceAfterSignal = std::chrono::milliseconds(1500);    // before signals end other ranks
    if (settings_.endedBy == nullptr || isOver_ || hasFailedItself_ || meetingPlace_.failedRank() >= 0) return false;
    if (endSignalProgress != 0 && endSignalProgress != CallRing::ofProcess().progress()) return false;
    ended_ = settings_.endedBy(endSignal.exchange(0));
    if (!ended_) return false;
    hasFailedItself_ = true;
    hasten(patienceAfterSignal);
    meetingPlace_.tell(meetingPlace_.rank(), ended_->what());
    return true;
}

/// The rest of admits(), in a region that is over or is asked to end.
bool Region::admitsNoMore(MPI_Comm handle) {
    answer_ = MPI_SUCCESS;
    if (!isOver_) {
        if (isUnwinding() || !failForSignal()) return true;
        fail(handle);
        return false;
    }
    if (settings_.goesOn != nullptr && callsAfterFailure_.areTooMany()) settings_.goesOn();
    if (isUnwinding()) return false;
    if (const auto code = errorCode(handle)) {
        answer_ = *code;
        return false;
    }
    const RegionFailed failed(meetingPlace_.failedRank(), meetingPlace_.failedText());
    if (heldBack_.holds(failed)) return false;
    const detail::ThrowRecordingPause pause;
    throw failed;
}

/// The error code with which a call on this communicator ends; empty: it ends with an exception. MPI_COMM_NULL: not known.
std::optional<int> Region::errorCode(MPI_Comm handle) const {
    if (settings_.wokenCalls == WokenCalls::Throw) [[likely]]
        return std::nullopt;
    const MPI_Comm asked = handle != MPI_COMM_NULL ? handle : meetingPlace_.communicator();
    return errorCodeFor(settings_.wokenCalls, asked, RegionFailed(meetingPlace_.failedRank(), meetingPlace_.failedText()).what());
}

int Region::reject(const UsageError& error) {
    isPassing_ = false;
    if (settings_.wokenCalls != WokenCalls::Return && !heldBack_.holds(error)) throw error;
    try {
        throw error;    // so that the place of the throw is recorded
    } catch (const UsageError&) {
        withheld_ = std::current_exception();
    }
    failHere(fmt::format("{}: {}", detail::typeName(typeid(error)), error.what()));
    return MPI_ERR_OTHER;
}

Communicator* Region::admit(const char* call, Communicator* communicator) {
    if (communicator != nullptr && isWithin(*communicator, meetingPlace_)) return communicator;
    isPassing_ = settings_.makesUnsupportedCalls;
    if (isPassing_) {
        passes(call);
        return nullptr;
    }
    const std::string_view name = call;
    const char* why = "the communicator has ranks that are not in the region";
    if (communicator == nullptr && (name.starts_with("MPI_File_") || name.starts_with("MPI_Win_"))) {
        why = "the file or window is not known to the guard";
    } else if (communicator == nullptr) {
        why =
            "the communicator is not known to the guard: it is an intercommunicator, none at all, or made by a call that regions do not "
            "support";
    }
    reject(UsageError(fmt::format("{} in a guarded region: {}", call, why)));
    return nullptr;
}

Communicator* Region::noteSend(const char* call, int destination, int tag, MPI_Comm handle) {
    Communicator* communicator = use(call, handle);
    if (communicator == nullptr) return nullptr;
    if (tag == ReservedTags::marker()) [[unlikely]] {
        reject(UsageError(fmt::format("{} in a guarded region: the guard itself uses tag {} (MPI_TAG_UB): choose another tag", call, tag)));
        return nullptr;
    }
    const int rank = communicator->rankOf(destination);
    if (rank < 0) return communicator;    // MPI_PROC_NULL, or a rank for which MPI itself gives the best error
    communicator->usedIn = serial_;
    communicator->sentIn[static_cast<std::size_t>(rank)] = serial_;
    return communicator;
}

void Region::noteFreed(Communicator& communicator) noexcept {
    communicator.isFreed = true;
    hasFreed_ = true;
}

void Region::letGo(MPI_Request request) {
    const Operation* operation = requests_.find(request);
    freed_.add(request, operation != nullptr && operation->isPersistent);
    if (freed_.haveGrown()) freeOver();
}

/// Frees the requests that the program has freed and that are over.
void Region::freeOver() {
    freed_.freeOver([this](MPI_Request request) { requests_.remove(request); });
}

int Region::defer(const CallSignature& signature, MPI_Comm handle, MPI_Request* request, DeferredCollectives::Call call) {
    const Turn turn(signature.name());
    *request = MPI_REQUEST_NULL;
    if (!admits(handle)) return answer_;
    Communicator* const known = use(signature.name(), handle);
    if (known == nullptr) return isPassing_ ? call(request) : MPI_ERR_OTHER;
    return deferOn(*known, signature, request, std::move(call), nullptr);
}

int Region::createLater(const CallSignature& signature, MPI_Comm parent, const LaterResult& made, MPI_Request* request,
                        const std::function<int(MPI_Comm*, MPI_Request*)>& call) {
    const char* const name = signature.name();
    const Turn turn(name);
    made.set(MPI_COMM_NULL);
    *request = MPI_REQUEST_NULL;
    if (!admits(parent)) return answer_;
    Communicator* const known = use(name, parent);
    if (known == nullptr) return isPassing_ ? made.setBy([&](MPI_Comm* place) { return call(place, request); }) : MPI_ERR_OTHER;
    const auto later = std::make_shared<LaterCommunicator>(*known, deferred_.countOn(*known), made);
    const auto make = [later, call](MPI_Request* started) { return call(later->place(), started); };
    return deferOn(*known, signature, request, make, later);
}

int Region::deferOn(Communicator& communicator, const CallSignature& signature, MPI_Request* request, DeferredCollectives::Call call,
                    std::shared_ptr<LaterCommunicator> made) {
    const char* const name = signature.name();
    const MPI_Comm handle = communicator.traffic;
    communicator.usedIn = serial_;
    *request = deferred_.add(communicator, signature, std::move(call), std::move(made));
    requests_.add(*request, {RequestKind::Collective, MPI_PROC_NULL, static_cast<int>(deferred_.countOn(communicator)), handle});
    CallRing::ofProcess().note({.name = name, .number = deferred_.countOn(communicator), .communicator = communicator.id});
    deferred_.advance();
    return MPI_SUCCESS;
}

int Region::leave(const char* name, Communicator& communicator, const std::function<int()>& end) {
    if (isOver_) {
        noteFreed(communicator);
        return MPI_SUCCESS;
    }
    if (use(name, communicator.traffic) == nullptr) return MPI_ERR_OTHER;
    const auto make = [&] {
        const InLibrary inside(*this);
        const int result = end();
        noteFreed(communicator);    // other ranks may still be in the barrier
        return result;
    };
    EntryBarrier barrier;
    const CallSignature signature(name);
    const PresentCall present(present_, signature, communicator);
    if (haveAllCome(signature, communicator, barrier)) return make();
    Interrupted interrupted{&communicator, barrier, communicator.entered, make};
    meet(&interrupted);
    if (mismatch_) withheld_ = std::make_exception_ptr(*mismatch_);
    if (deadlock_) withheld_ = std::make_exception_ptr(*deadlock_);
    if (ended_) withheld_ = std::make_exception_ptr(*ended_);
    noteFreed(communicator);
    return MPI_SUCCESS;
}

std::optional<int> Region::access(const char* name, MPI_Win window) {
    const Turn turn(name);
    if (!admits()) return answer_;
    const Communicator* known = FilesAndWindows::ofProcess().ofWindow(window);
    if (known == nullptr) return refuse(name, "the window is not known to the guard");
    if (known->isInEpoch() && (!known->access.isOpen || known->access.begunIn < serial_))
        return refuse(name, "the window is in an epoch that has begun before the region, or that other ranks access");
    Communicator* const communicator = use(name, known->handle);
    if (communicator == nullptr) return isPassing_ ? std::nullopt : std::optional(MPI_ERR_OTHER);
    if (communicator->access.isOpen) return std::nullopt;                   // over when the epoch is
    if (WindowLocks::ofProcess().isAnyHeld(window)) return std::nullopt;    // over when the lock is given back
    communicator->usedIn = serial_;
    communicator->accessedIn = serial_;
    return std::nullopt;
}

int Region::complete(const char* call, MPI_Request request, const Operation& operation, MPI_Status* status) {
    int isDone = 0;
    int result = MPI_SUCCESS;
    const auto isComplete = [&] {
        result = PMPI_Test(&request, &isDone, status);
        return isDone != 0 || result != MPI_SUCCESS;
    };
    if (waitUntil({.call = call, .operations = {&operation, 1}}, isComplete)) [[likely]]
        return result;
    requests_.add(request, operation);
    return fail(operation.communicator);
}

int Region::completeUnknown(const char* call, MPI_Request request, const Operation& operation, MPI_Status* status) {
    int isDone = 0;
    int result = MPI_SUCCESS;
    const auto isComplete = [&] {
        result = PMPI_Test(&request, &isDone, status);
        return isDone != 0 || result != MPI_SUCCESS;
    };
    if (waitUntil({.call = call, .operations = {&operation, 1}}, isComplete)) return result;
    // Its buffer is about to be destroyed, and no rank completes the message any more.
    PMPI_Cancel(&request);
    PMPI_Request_free(&request);
    return fail();
}

/// Notes that the ranks have come to calls that differ: this rank fails. Returns true.
bool Region::noteDisagreement() {
    hasDisagreed_ = true;
    meetingPlace_.tell(meetingPlace_.rank(), callsDiffer);
    return true;
}

/// Finds out which calls differ. Of the ranks that disagree, one fails with the CollectiveMismatch; the others are woken by it.
void Region::compareCalls() {
    // A rank whose program has ended differs because of that.
    const int mine = exit_.failure ? meetingPlace_.rank() : meetingPlace_.size();
    int ended = mine;
    must(PMPI_Allreduce(&mine, &ended, 1, MPI_INT, MPI_MIN, meetingPlace_.own()), "MPI_Allreduce");
    if (ended < meetingPlace_.size()) {
        if (meetingPlace_.failedText() == callsDiffer)
            meetingPlace_.setFailed(ended, fmt::format("rank {} has ended its program in the middle of MPI", ended));
        if (ended == meetingPlace_.rank()) {
            hasFailedItself_ = true;
            withheld_ = exit_.failure;
        }
        return;
    }
    const std::optional<CollectiveMismatch> mismatch = comparedCalls(meetingPlace_.own(), present_, hasDisagreed_, deferred_);
    if (!mismatch) return;
    if (mismatch->here().rank == meetingPlace_.rank()) {
        hasFailedItself_ = true;
        mismatch_ = mismatch;
    }
    if (meetingPlace_.failedText() == callsDiffer)    // otherwise another failure came first
        meetingPlace_.setFailed(mismatch->here().rank, fmt::format("{}: {}", mismatch->className(), mismatch->what()));
}

int Region::fail(MPI_Comm handle, Interrupted* interrupted) {
    meet(interrupted);
    if (mismatch_ && !isUnwinding()) {
        const auto code = errorCode(handle);
        if (!code && !heldBack_.holds(*mismatch_)) throw CollectiveMismatch(*mismatch_);
        withheld_ = std::make_exception_ptr(*mismatch_);
        return code.value_or(MPI_SUCCESS);
    }
    if (deadlock_ && !isUnwinding()) {
        const auto code = errorCode(handle);
        if (!code && !heldBack_.holds(*deadlock_)) throw Deadlock(*deadlock_);
        withheld_ = std::make_exception_ptr(*deadlock_);
        return code.value_or(MPI_SUCCESS);
    }
    if (ended_ && !isUnwinding()) {
        const auto code = errorCode(handle);
        if (!code && !heldBack_.holds(*ended_)) throw Terminated(*ended_);
        withheld_ = std::make_exception_ptr(*ended_);
        answer_ = code.value_or(MPI_SUCCESS);
        return answer_;
    }
    if (missed_ && !isUnwinding() && !errorCode(handle)) {
        const RankHasLeft left(*missed_);
        if (!heldBack_.holds(left)) throw left;
        withheld_ = std::make_exception_ptr(left);
        return MPI_SUCCESS;
    }
    admitsNoMore(handle);
    return answer_;
}

void Region::failHere(const std::string& thrown) noexcept {
    const Turn turn("the end of a failed region");
    if (isOver_) return;
    constexpr auto patienceInLibrary = std::chrono::milliseconds(1000);
    if (inLibrary_ > 0) hasten(patienceInLibrary);
    hasFailedItself_ = true;
    meetingPlace_.tell(meetingPlace_.rank(), thrown);
    meet(nullptr);
}

bool Region::succeed() {
    if (isOver_) return false;
    const std::vector<MPI_Request> open = deferred_.handles();
    const Waiting waiting{.call = "a non-blocking collective at the end of the region", .requests = open, .callsNoMore = true};
    if (!waitUntil(waiting, [this] { return deferred_.isEmpty(); })) {
        meet(nullptr);
        return false;
    }
    meetAndQuiesce({false, hasFreed_}, nullptr);
    if (isOver_) return false;
    freeOver();
    if (outer_ == nullptr) freed_.freeAll();
    if (meetingPlace_.verdict().hasFreed) freeMarked(meetingPlace_.own());
    return true;
}

void Region::meet(Interrupted* interrupted) noexcept { meetAndQuiesce({true, hasFreed_}, interrupted); }

/// Meets the other ranks. An exception in here ends the job, since other ranks wait for this rank.
void Region::meetAndQuiesce(MeetingPlace::Verdict own, Interrupted* interrupted) noexcept {
    if (meetingPlace_.failedRank() >= 0) meetingPlace_.tell(meetingPlace_.failedRank(), meetingPlace_.failedText());
    own.haveThreadsMet = own.hasFailed && Turn::haveMet();
    own.haveCallsDiffered = hasDisagreed_;
    own.hasStoodStill = standsStill_;
    const std::int64_t waited = standstillWatch_.seconds();    // before the meeting, which is a wait of its own
    meetingPlace_.startMeeting(own);
    if (own.hasFailed) releaseLocks();
    awaitMeeting(interrupted);
    if (!meetingPlace_.verdict().hasFailed) return;
    endSignal = 0;    // the job ends
    releaseLocks();
    if (meetingPlace_.verdict().haveThreadsMet) endByForce();
    if (meetingPlace_.verdict().haveCallsDiffered) compareCalls();
    if (meetingPlace_.verdict().hasStoodStill) callRoll(own.hasFailed ? waited : standstillWatch_.seconds());
    meetingPlace_.tell(meetingPlace_.failedRank(), meetingPlace_.failedText());
    Quiescence(meetingPlace_, {requests_, matched_, deferred_, interrupted}, serial_).reach();
    freed_.endAll();    // the waits of Quiescence have ended the requests
    hasFreed_ = hasFreed_ || deferred_.haveDropped();
    WindowLocks::ofProcess().restore(locksBefore_);
    isOver_ = true;
    if (settings_.failed != nullptr) settings_.failed(*this);
}

/// Gives the locks of windows back, for which ranks may wait in the library: they cannot come to the meeting before.
void Region::releaseLocks() noexcept {
    if (!Turn::haveMet()) WindowLocks::ofProcess().release();
}

void Region::awaitMeeting(Interrupted* interrupted) {
    using Clock = std::chrono::steady_clock;
    std::optional<Clock::time_point> until;
    for (unsigned spinCount = 0; !meetingPlace_.hasMet(); ++spinCount) {
        if (interrupted != nullptr) interrupted->advance(meetingPlace_.joinedCalls());
        if (meetingPlace_.look()) {
            meetingPlace_.tell(meetingPlace_.failedRank(), meetingPlace_.failedText());
            releaseLocks();
        }
        if (spinCount < spinsBeforeYield) continue;
        failForSignal();
        rest({.call = "at the end of the region", .isEnd = true}, spinCount == spinsBeforeYield);
        if (settings_.giveUp == nullptr || meetingPlace_.failedRank() < 0) continue;
        if (!until) until = Clock::now() + settings_.patience * (hasFailedItself_ ? 1 : 2);
        if (Clock::now() > *until)
            settings_.giveUp(*this, fmt::format("not all other ranks have come to a call of MPI within {}", settings_.patience));
    }
}

/// Ends the job after a failure that cannot be undone, since threads of a rank are in calls of MPI at the same time. The failed rank speaks
/// for all.
void Region::endByForce() {
    constexpr auto timeToSpeak = std::chrono::seconds(5);
    if (meetingPlace_.failedRank() != meetingPlace_.rank()) std::this_thread::sleep_for(timeToSpeak);
    const std::string why = "two threads of a rank were in calls of MPI at the same time";
    if (settings_.giveUp != nullptr) settings_.giveUp(*this, why);
    std::fputs(fmt::format("ferry: rank {} has failed: {}\nferry: {}: the job is ended by force\n", meetingPlace_.failedRank(),
                           detail::printable(meetingPlace_.failedText(), detail::Lines::Several), why)
                   .c_str(),
               stderr);
    abortJob(1);
}

/// Frees marked communicators. No message is sent on them: a rank may have freed one already before the region.
void Region::freeMarked(MPI_Comm through) noexcept {
    const InLibrary inside(*this);
    freeOver();
    Communicators& communicators = Communicators::ofProcess();
    const IdLists freed(through, communicators.idsOf([this](const Communicator& one) { return one.isFreed && !isUnderWayOn(one); }));
    for (const std::int32_t id : freed.all()) {
        Communicator* communicator = communicators.withId(id);
        if (communicator == nullptr || !isWithin(*communicator, meetingPlace_)) continue;
        const auto& ranks = communicator->regionRanks;
        if (!std::all_of(ranks.begin(), ranks.end(), [&](int rank) { return freed.has(rank, id); })) continue;
        MPI_Comm handle = communicator->traffic;
        FilesAndWindows::ofProcess().end(*communicator);
        MeetingPlace::close(handle);
        communicators.remove(handle);
        for (const Region* region = this; region != nullptr; region = region->outer_) region->meetingPlace_.entryTree().forget(id);
        must(PMPI_Comm_free(&handle), "MPI_Comm_free");
    }
}

bool Region::isUnderWayOn(const Communicator& communicator) const {
    if (outer_ != nullptr && outer_->isUnderWayOn(communicator)) return true;
    const std::vector<Requests::Entry> open = requests_.all();
    return std::any_of(open.begin(), open.end(),
                       [&](const Requests::Entry& entry) { return entry.operation.communicator == communicator.traffic; });
}

/// Frees marked communicators once in 256 calls, for regions that make and free communicators repeatedly. All ranks have come to a call on
/// this communicator.
void Region::freeMarkedNowAndThen(const Communicator& communicator) {
    constexpr std::uint64_t callsBetween = 256;
    if (communicator.entered % callsBetween != 0) [[likely]]
        return;
    if (meetingPlace_.mayThreadsMeet()) return;    // another thread may use a communicator that was freed
    const std::vector<int>& ranks = communicator.regionRanks;
    const bool isAll = ranks.size() == static_cast<std::size_t>(meetingPlace_.size()) && std::is_sorted(ranks.begin(), ranks.end());
    if (isAll) freeMarked(communicator.handle);
}

bool Region::passes(const char* call) {
    if (!settings_.makesUnsupportedCalls) return false;
    CallRing::ofProcess().note({.name = call});
    if (std::find(passedCalls_.begin(), passedCalls_.end(), call) == passedCalls_.end()) passedCalls_.emplace_back(call);
    return true;
}

std::optional<int> refuse(const char* call, const char* why) {
    const Turn turn(call);
    if (!activeRegion->admits()) return activeRegion->answer() != MPI_SUCCESS ? activeRegion->answer() : MPI_ERR_OTHER;
    if (activeRegion->passes(call)) return std::nullopt;
    return activeRegion->reject(UsageError(fmt::format("{} is not supported in a guarded region: {}", call, why)));
}

// Nested regions: the part of the outer region and of the inner one.

/// Runs an inner region. The ranks meet before it, as before a collective call: so no rank can fail outside of it while others are in it.
void Region::runInner(MPI_Comm communicator, const std::function<void()>& run) {
    constexpr const char* name = "ferry::guarded";
    const Turn turn(name);
    if (!admits()) return;
    Communicator* const known = use(name, communicator);
    if (known == nullptr) {
        if (isPassing_) run();
        return;
    }
    if (const char* obstacle = obstacleAmong(requests_)) {
        reject(UsageError(
            fmt::format("a guarded region inside another one cannot begin while {} of the outer region is under way", obstacle)));
        return;
    }
    EntryBarrier barrier;
    const CallSignature signature(name);
    const PresentCall present(present_, signature, *known);
    if (haveAllCome(signature, *known, barrier)) return run();
    Interrupted interrupted{known, barrier, known->entered, run, true};
    fail(communicator, &interrupted);
}

void Region::noteInner(MPI_Comm communicator, const ExceptionList& list) {
    Communicator* known = Communicators::ofProcess().find(communicator);
    if (known == nullptr || !isWithin(*known, meetingPlace_)) return;
    innerFailure_ = InnerFailure{list, known->regionRanks};
}

void Region::translate(const ExceptionList& list, std::vector<detail::FailureRecord>& records) const {
    // Copies of a list share their records.
    if (!innerFailure_ || innerFailure_->list.records().data() != list.records().data()) return;
    const auto outerRank = [this](std::int32_t rank) { return innerFailure_->ranks.at(static_cast<std::size_t>(rank)); };
    for (detail::FailureRecord& record : records) {
        record.rank = outerRank(record.rank);
        std::transform(record.ranks.begin(), record.ranks.end(), record.ranks.begin(), outerRank);
        std::sort(record.ranks.begin(), record.ranks.end());
    }
}

/// Hands the open operations of an inner region that has ended to the outer region.
void Region::handOver() {
    for (const Requests::Entry& entry : requests_.all()) outer_->requests_.add(entry.request, entry.operation);
    for (const MatchedMessage& matched : matched_.all()) outer_->matched_.add(matched);
    outer_->freed_.take(freed_);
    outer_->hasFreed_ = outer_->hasFreed_ || hasFreed_;
}

void Region::forget(MPI_Request request) noexcept {
    for (Region* region = this; region != nullptr; region = region->outer_) region->requests_.remove(request);
}

Region* Region::ownerOf(MPI_Request request) noexcept {
    for (Region* region = this; region != nullptr; region = region->outer_) {
        if (region->requests_.contains(request)) return region;
    }
    return nullptr;
}

std::optional<MatchedMessage> Region::takeMatched(MPI_Message message) {
    for (Region* region = this; region != nullptr; region = region->outer_) {
        if (const auto matched = region->matched_.remove(message)) return matched;
    }
    return std::nullopt;
}

}    // namespace ferry::pmpi
