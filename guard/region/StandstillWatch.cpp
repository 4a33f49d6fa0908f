#include <ferry/guard/region/StandstillWatch.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/MpiMust.hpp>
#include <ferry/guard/known/OtherThreads.hpp>
#include <ferry/guard/known/Turn.hpp>
#include <ferry/guard/meeting/Membership.hpp>
#include <ferry/guard/meeting/WaitWatchdog.hpp>

namespace ferry::pmpi {

namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t looksUntilNoted = 100;     // a wait of more than some hundred microseconds
constexpr std::uint64_t looksBetweenTimes = 64;    // between two looks at the clock
constexpr milliseconds timeForAnswers{1000};
constexpr milliseconds timeBetweenRounds{20};    // a thread that computes is seen in this time
constexpr milliseconds delayOfRank{200};         // of ranks that ask in the place of lower ones
constexpr int askerCount = 4;
constexpr int mostTold = 3;                         // times that a rank tells tests in vain
constexpr milliseconds longestPause{60000};         // between two tries of a rank
constexpr std::int32_t unknownCommunicator = -2;    // all of them: two messages on any of these may fit
constexpr std::size_t mostOpenMessages = 100;       // with more of them, a rank does not say that it can only wait

milliseconds secondsOf(const char* variable, double usual) {
    const char* wish = std::getenv(variable);
    if (wish == nullptr || *wish == '\0') return milliseconds(std::llround(1000 * usual));
    char* end = nullptr;
    const double seconds = std::strtod(wish, &end);
    if (*end == '\0' && seconds >= 0 && seconds <= 1e6) return milliseconds(std::llround(1000 * seconds));
    std::fprintf(stderr, "ferry: %s: expected seconds from 0 to 1e6, found %s: %g s are used\n", variable, wish, usual);
    return milliseconds(std::llround(1000 * usual));
}

bool isOpen(MPI_Request request) {
    int isOver = 1;
    return request != MPI_REQUEST_NULL && PMPI_Request_get_status(request, &isOver, MPI_STATUS_IGNORE) == MPI_SUCCESS && isOver == 0;
}

}    // namespace

StandstillWatch::StandstillWatch(MeetingPlace& meetingPlace, const Requests& requests, const DeferredCollectives& deferred,
                                 const std::vector<std::string>& passedCalls)
    : meetingPlace_(meetingPlace),
      requests_(requests),
      deferred_(deferred),
      passedCalls_(passedCalls) {
    static const Limits& limits = *new Limits{secondsOf("FERRY_GUARD_DEADLOCK", 10), secondsOf("FERRY_GUARD_STANDSTILL", 0),
                                              secondsOf("FERRY_GUARD_POLLING", 0)};    // never destroyed: see Communicators
    limits_ = limits;
}

void StandstillWatch::begin(Clock::time_point since) noexcept {
    ++serial_;
    lookCount_ = 0;
    state_ = State::Watching;
    begin_ = since;
    progressAtBegin_ = CallRing::ofProcess().progress();
    nextTry_ = begin_;
    pause_ = timeForAnswers;
}

std::int64_t StandstillWatch::seconds() const {
    if (CallRing::ofProcess().progress() != progressAtBegin_) return 0;    // the present call has not waited for long
    return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - begin_).count();
}

StandstillWatch::Finding StandstillWatch::look(const Waiting& waiting) {
    if (++lookCount_ == looksUntilNoted) noteForRollCall(waiting);
    return lookCount_ % looksBetweenTimes == 0 ? lookNow(waiting) : Finding::Nothing;
}

StandstillWatch::Finding StandstillWatch::lookNow(const Waiting& waiting) {
    if (meetingPlace_.failedRank() >= 0) return Finding::Nothing;
    if (Census& census = meetingPlace_.census(); census.isAsked()) {
        noteForRollCall(waiting);    // the answer may be the last that is missing for a roll call
        census.answer({serial_, length().count(), canOnlyWait(waiting, census.isAskedForMessages()), waiting.areTests},
                      openMessages(waiting));
    }
    if (state_ != State::Watching) return hearAnswers(waiting);
    const auto now = Clock::now();
    if (now < nextTry_) return Finding::Nothing;
    const milliseconds waited = length();
    if (waiting.isEnd) return Finding::Nothing;    // the meeting has begun without the finding
    // The first ranks ask, one after the other: the ranks before this one may compute.
    const int place = position();
    if (place >= (waiting.areTests ? 1 : askerCount)) return Finding::Nothing;
    const auto isTime = [&](milliseconds after) { return after.count() > 0 && waited >= after + place * delayOfRank; };
    const bool isForDeadlock = isTime(limits_.deadlock) || isTime(limits_.polling);
    const bool isForStandstill = isTime(limits_.standstill) && !waiting.areTests;
    if (isForDeadlock || isForStandstill) {
        noteForRollCall(waiting);
        start(State::Asking);
    }
    return Finding::Nothing;
}

/// The number of ranks before this one that are not at the end of the region.
int StandstillWatch::position() const {
    int place = 0;
    for (int rank = 0; rank < meetingPlace_.rank() && place < askerCount; ++rank) place += meetingPlace_.rollCall().isAtEnd(rank) ? 0 : 1;
    return place;
}

void StandstillWatch::start(State state) {
    state_ = state;
    asked_ = Clock::now();
    static_cast<void>(OtherThreads::haveComputed());    // threads that compute are seen from now on
    meetingPlace_.census().ask(state == State::AskingAgain);
}

StandstillWatch::Finding StandstillWatch::hearAnswers(const Waiting& waiting) {
    Census& census = meetingPlace_.census();
    const auto now = Clock::now();
    if (!census.isComplete() && now - asked_ < timeForAnswers) return Finding::Nothing;
    const auto giveUp = [&](Finding finding) {
        state_ = State::Watching;
        nextTry_ = now + pause_;
        if (limits_.polling.count() > 0 && begin_ + limits_.polling > now) nextTry_ = std::min(nextTry_, begin_ + limits_.polling);
        pause_ = std::min(2 * pause_, longestPause);
        return finding;
    };
    const auto& waits = census.waits();
    const bool isChosen = !waiting.areTests && limits_.standstill.count() > 0 && length() >= limits_.standstill && !isSpokenFor() &&
                          std::all_of(waits.begin(), waits.end(), [&](const auto& wait) {
                              return !wait || wait->areTests || wait->millis >= limits_.standstill.count();
                          });
    const bool areTests =
        waiting.areTests || std::any_of(waits.begin(), waits.end(), [](const auto& wait) { return wait && wait->areTests; });
    const milliseconds least = limits_.deadlock.count() > 0 || !areTests ? limits_.deadlock : limits_.polling;
    if (least.count() == 0 || !census.isComplete() || !isCertain(least) || !canOnlyWait(waiting, state_ == State::AskingAgain))
        return giveUp(isChosen ? Finding::Standstill : Finding::Nothing);
    if (state_ == State::Asking) {
        if (now - asked_ < timeBetweenRounds) return Finding::Nothing;
        before_ = census.waits();
        start(State::AskingAgain);
        return Finding::Nothing;
    }
    for (std::size_t rank = 0; rank < before_.size(); ++rank) {
        const auto& wait = census.waits()[rank];
        if (wait && (!before_[rank] || before_[rank]->serial != wait->serial)) return giveUp(Finding::Nothing);
    }
    if (isAnyMessageUnderWay(waiting)) return giveUp(isChosen ? Finding::Standstill : Finding::Nothing);
    return giveUp(!areTests ? Finding::Deadlock : isChosen ? Finding::Standstill : findingOfTests(length()));
}

/// The finding where all ranks wait or repeat tests, and no message is under way. waited: by this rank.
StandstillWatch::Finding StandstillWatch::findingOfTests(milliseconds waited) {
    if (position() > 0) return Finding::Nothing;    // the first rank speaks
    if (limits_.polling.count() > 0 && waited >= limits_.polling && isCertain(limits_.polling)) return Finding::VainTestsEnd;
    const bool isToTell = limits_.deadlock.count() > 0 && told_.serial != serial_ && told_.count < mostTold;
    if (!isToTell) return Finding::Nothing;
    told_ = {serial_, told_.count + 1};
    return Finding::VainTests;
}

/// Whether a lower rank waits as well. That rank tells the standstill, so that the job has one roll call.
bool StandstillWatch::isSpokenFor() const {
    for (int rank = 0; rank < meetingPlace_.rank(); ++rank) {
        if (meetingPlace_.census().waits()[static_cast<std::size_t>(rank)] && !meetingPlace_.rollCall().isAtEnd(rank)) return true;
    }
    return false;
}

bool StandstillWatch::isCertain(milliseconds least) const {
    const auto& waits = meetingPlace_.census().waits();
    for (std::size_t rank = 0; rank < waits.size(); ++rank) {
        if (static_cast<int>(rank) == meetingPlace_.rank()) continue;
        if (!waits[rank] || !waits[rank]->canOnlyWait || waits[rank]->millis < least.count()) return false;
    }
    return true;
}

/// Whether only another rank of the region can end the wait.
bool StandstillWatch::canOnlyWait(const Waiting& waiting, bool isSecondRound) const {
    if (deferred_.isAnyMade() || requests_.count() > mostOpenMessages || Turn::haveMet() || mayUnknownSendsBeOpen()) return false;
    if (waiting.mayCompute) return false;
    if (Turn::areNeeded() || waiting.areTests) {                   // other threads may end the tests
        const bool haveComputed = OtherThreads::haveComputed();    // since the first round, in the second one
        if ((isSecondRound && haveComputed) || OtherThreads::mayAct()) return false;
    }
    if (waiting.isEnd || waiting.callsNoMore || waiting.communicator != nullptr) return true;
    const std::vector<std::optional<Operation>> pending = pendingOf(waiting, requests_);
    return !pending.empty() && std::all_of(pending.begin(), pending.end(), [this](const std::optional<Operation>& operation) {
        if (!operation || operation->kind == RequestKind::File || operation->kind == RequestKind::Window ||
            operation->kind == RequestKind::MatchedReceive)
            return false;
        return Communicators::ofProcess().find(operation->communicator) != nullptr || openUnknownMessage(*operation);
    });
}

/// Whether the program may have begun a send that the guard does not know. Such a send may be under way for long.
bool StandstillWatch::mayUnknownSendsBeOpen() const {
    constexpr std::array<std::string_view, 10> senders{"MPI_Isend",  "MPI_Issend", "MPI_Ibsend", "MPI_Irsend", "MPI_Bsend",
                                                       "MPI_Psend_", "MPI_Pready", "MPI_Start",  "MPI_R",      "MPI_Win_"};
    return std::any_of(passedCalls_.begin(), passedCalls_.end(), [&](const std::string& call) {
        if (call == "MPI_Recv" || call == "MPI_Recv_init") return false;
        return call.ends_with("send_init") ||
               std::any_of(senders.begin(), senders.end(), [&](std::string_view one) { return call.starts_with(one); });
    });
}

/// The message of an operation on a communicator that the guard does not know, such as one of MPI_Comm_idup, in a program that is guarded
/// as a whole. Empty: other programs have a part in it.
std::optional<Census::OpenMessage> StandstillWatch::openUnknownMessage(const Operation& operation) const {
    if (meetingPlace_.communicator() != MPI_COMM_WORLD || !Communicators::ofProcess().mayCompareUnknown() ||
        !Communicators::isWithinWorld(operation.communicator))
        return std::nullopt;
    Census::OpenMessage message{operation.kind == RequestKind::Send, meetingPlace_.rank(), -1, unknownCommunicator, -1};
    if (operation.peer == MPI_ANY_SOURCE) return message;
    int size = 0;
    must(PMPI_Comm_size(operation.communicator, &size), "MPI_Comm_size");
    if (operation.peer < 0 || operation.peer >= size) return std::nullopt;
    message.peer = Communicators::rankInWorld(operation.communicator, operation.peer);
    return message;
}

std::optional<Census::OpenMessage> StandstillWatch::openMessage(const Operation& operation) const {
    if (operation.kind != RequestKind::Send && operation.kind != RequestKind::Receive) return std::nullopt;
    Communicator* const communicator = Communicators::ofProcess().find(operation.communicator);
    if (communicator == nullptr) return openUnknownMessage(operation);
    if (!isWithin(*communicator, meetingPlace_)) return std::nullopt;
    Census::OpenMessage message{operation.kind == RequestKind::Send, meetingPlace_.rank(), -1, communicator->id,
                                operation.tag == MPI_ANY_TAG ? -1 : operation.tag};
    if (operation.peer == MPI_ANY_SOURCE) return message;
    const int peer = communicator->rankOf(operation.peer);
    if (peer < 0) return std::nullopt;
    message.peer = communicator->regionRanks[static_cast<std::size_t>(peer)];
    return message;
}

std::vector<Census::OpenMessage> StandstillWatch::openMessages(const Waiting& waiting) const {
    std::vector<Census::OpenMessage> messages;
    for (const Requests::Entry& entry : requests_.all()) {
        if (!isOpen(entry.request)) continue;
        if (const auto message = openMessage(entry.operation)) messages.push_back(*message);
    }
    for (const Operation& operation : waiting.operations) {
        if (const auto message = openMessage(operation)) messages.push_back(*message);
    }
    return messages;
}

bool StandstillWatch::isAnyMessageUnderWay(const Waiting& waiting) const {
    std::vector<Census::OpenMessage> messages = openMessages(waiting);
    const auto& others = meetingPlace_.census().messages();
    messages.insert(messages.end(), others.begin(), others.end());
    for (const Census::OpenMessage& send : messages) {
        if (!send.isSend) continue;
        const auto fits = [&](const Census::OpenMessage& receive) {
            return !receive.isSend && receive.rank == send.peer && (receive.peer == -1 || receive.peer == send.rank) &&
                   receive.communicator == send.communicator && (receive.tag == -1 || receive.tag == send.tag);
        };
        if (std::any_of(messages.begin(), messages.end(), fits)) return true;
    }
    return false;
}

void StandstillWatch::noteForRollCall(const Waiting& waiting) const {
    if (waiting.isEnd) return;    // ranks that meet for a roll call tell what they waited for before
    CallRing::Pending note;
    if (waiting.communicator == nullptr) {
        std::vector<int> peers;
        for (const std::optional<Operation>& operation : pendingOf(waiting, requests_)) {
            const std::optional<Census::OpenMessage> message = operation ? openMessage(*operation) : std::nullopt;
            peers.push_back(message ? message->peer : -1);
        }
        note.text.set(WaitWatchdog::inWords(waiting, requests_));
        if (waiting.areTests) note.test = waiting.call;
        const bool isOne = !peers.empty() && std::all_of(peers.begin(), peers.end(), [&](int peer) { return peer == peers.front(); });
        if (isOne && peers.front() >= 0) note.peer = peers.front();
    }
    CallRing::ofProcess().noteWait(note);
}

}    // namespace ferry::pmpi
