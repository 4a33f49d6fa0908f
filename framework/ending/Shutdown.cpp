#include <ferry/framework/ending/Shutdown.hpp>

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <iterator>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/exception/isOf.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/letter/ExceptionMessage.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>
#include <ferry/connector/message/state/MailboxHooks.hpp>
#include <ferry/connector/message/state/insist.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/EndMarker.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/JobReport.hpp>
#include <ferry/framework/ending/KnownFailures.hpp>
#include <ferry/framework/ending/LastWords.hpp>
#include <ferry/framework/ending/ProcessEnd.hpp>
#include <ferry/framework/ending/Signals.hpp>
#include <ferry/framework/ending/sayLeft.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/framework/parcel/JobKind.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>

namespace ferry::detail {

namespace {

using namespace std::chrono_literals;

// The key of a letter 'Left'. The number of such a letter is a status. A letter of the master at the end has the status of the job. Other
// letters have the status that the sender's program returned.
constexpr std::int32_t afterRun = 0;
constexpr std::int32_t withoutRun = 1;
constexpr std::int32_t atOnce = 2;    // after run, and the rank does not wait for the master's answer

constexpr const char* jobIsDone = "it is done";    // the reason of an ordinary end

// A rank that has left, and whose parent in the tree has its word, asks the parent again after this time, and then after twice the time.
constexpr std::chrono::seconds timeToAskAgain{2};

std::string textOf(const std::exception_ptr& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& known) {
        return known.what();
    } catch (...) {
        return "an exception that is no std::exception";
    }
}

// Ranks that are threads of one process may run out of time together. Only one of them may report.
std::atomic<bool> isForcedEndBegun{false};

[[noreturn]] void restForEver() {
    for (;;) pause();
}

}    // namespace

Shutdown::Shutdown(Connector& connector, ShutdownSettings settings)
    : connector_(connector),
      settings_(std::move(settings)),
      firstSize_(connector.size()),
      stragglers_(settings_.teamGrace),
      statuses_(static_cast<std::size_t>(connector.size())),
      tree_(detail::mailboxOf(connector), firstSize_, settings_.grace),
      release_(detail::mailboxOf(connector), firstSize_, tree_.patience()),
      farewell_(detail::mailboxOf(connector)) {
    listen();
    detail::mailboxOf(connector_).hooks().onIdle([this] {
        checkSignal();
        checkLosses();
    });
}

void Shutdown::listen() {
    MailboxHooks& hooks = detail::mailboxOf(connector_).hooks();
    hooks.onControl(JobKind::Report, [this](const Letter& letter) {
        IntReader in(letter.body(), connector_.factory());
        addFailure(ExceptionMessage::read(in));
    });
    hooks.onControl(MessageKind::Left, [this](const Letter& letter) { noteLeft(letter); });
    if (connector_.isMaster()) return;
    hooks.onControl(MessageKind::Stop, [this](const Letter& letter) {
        // A rank with a higher number also gets this rank's Stop, and yields.
        if (speaksForMaster_ && letter.from > connector_.rank()) return;
        exitStatus_ = letter.envelope.number;
        Signals::settle();
        if (letter.envelope.key == EndTree::stopBelow) tree_.takeStop(letter);
    });
}

/// The rank that ends the job: the lowest that is not lost. Where the job ends with its master, only rank 0 can be the master.
int Shutdown::master() const {
    if (!hasRun_ || end_ != End::WithAll) return 0;
    const Departures& departures = detail::mailboxOf(connector_).departures();
    int rank = 0;
    while (rank < connector_.rank() && departures.isLost(rank)) ++rank;
    return rank;
}

/// Notes that a rank has left. A rank that this one has told that it leaves says by that that all have left.
void Shutdown::noteLeft(const Letter& letter) {
    switch (letter.envelope.key) {
        case EndTree::belowLeft: return noteBelowLeft(letter);
        case EndTree::losses: return noteLosses(letter);
        case EndTree::stayers: requireSlave(letter); return farewell_.noteStayers(tree_.takeStayers(letter));
        case EndTree::askHeard: return isEnding() ? tree_.answer(letter) : void();
        case EndTree::heard: return tree_.noteHeard(letter);
        case ReleaseTree::release:
        case ReleaseTree::releaseAlone: return noteReleased(letter);
        case ReleaseTree::belowReleased: return release_.noteBelowReleased(letter);
        case ReleaseTree::allReleased: return release_.noteAll(letter);
        case ReleaseTree::allHeard: return release_.noteHeard(letter);
        default: break;
    }
    const bool isOfSuccessor = letter.from != 0 && letter.envelope.key == withoutRun && !isMaster();
    if (isOfSuccessor) return noteNoSuccessor(letter.from, letter.envelope.number);
    const bool isOfMaster = !connector_.isMaster() && (letter.from == 0 || letter.from == saidLeftTo_);
    if (!isOfMaster) return noteLeft(letter.from, letter.envelope.key, letter.envelope.number);
    if (letter.envelope.key == withoutRun) return noteMasterWithoutRun();
    exitStatus_ = letter.envelope.number;
    isReleased_ = true;
}

/// Notes that a rank has left in order, with all ranks below it in the tree.
void Shutdown::noteBelowLeft(const Letter& letter) {
    const std::vector<int> ranks = tree_.leftBy(letter);
    if (!connector_.isMaster()) return tree_.noteBelowLeft(letter);
    for (const int rank : ranks) noteLeft(rank, afterRun, exitStatus::success);
}

/// Errors: SerializationError on the master.
void Shutdown::requireSlave(const Letter& letter) const {
    if (!connector_.isMaster()) return;
    throw SerializationError(
        fmt::format("expected no word of the master's on the master itself, found Left {} from rank {}", letter.envelope.key, letter.from));
}

/// On a slave: ranks are lost, as a rank above in the tree says.
void Shutdown::noteLosses(const Letter& letter) {
    requireSlave(letter);
    tree_.takeLosses(letter, [this](const Loss& loss) { noteLoss(loss); });
}

/// On a slave: all ranks have left, as a rank above in the tree says.
void Shutdown::noteReleased(const Letter& letter) {
    requireSlave(letter);
    if (!isReleased_) exitStatus_ = letter.envelope.number;
    isReleased_ = true;
    release_.take(letter);
}

void Shutdown::checkSignal() {
    if (phase_ == Phase::Over) return;
    if (signal_ == 0) signal_ = Signals::take();
    if (signal_ == 0) return;
    const auto stopped = std::make_exception_ptr(Terminated(Signals::nameOf(signal_), exitStatus::signalBase + signal_));
    if (isMaster()) {
        addFailure(stopped);
    } else {
        reportToMaster(stopped);
        isSignalled_ = true;
    }
    signal_ = 0;    // cleared only after the report, which may throw
}

/// On the master: notes that a rank takes no further part. A rank that left without having run is a failure if the job is running.
void Shutdown::noteLeft(int rank, std::int32_t key, int status) {
    stragglers_.remove(rank);
    const bool hasRun = key != withoutRun;
    if (key == atOnce) noteDismissed({rank, "has left the job before its end"});
    std::optional<int>& noted = statuses_[static_cast<std::size_t>(rank)];
    if (noted) return;
    noted = hasRun ? status : exitStatus::success;
    if (hasRun) return;
    const bool isMissed = phase_ == Phase::Running || (phase_ == Phase::Ending && hasRun_ && end_ == End::WithAll);
    if (isMissed) {
        addEarlyLeaver(rank, status);
    } else if (!earlyLeaver_) {
        earlyLeaver_ = rank;
        earlyLeaverStatus_ = status;
    }
}

/// On the master: notes that a slave has left the job at once. Other ranks may wait for messages of the slave.
void Shutdown::noteDismissed(const Loss& left) {
    Departures& departures = detail::mailboxOf(connector_).departures();
    departures.lose(left);
    if (left.rank < firstSize_) departures.tellOthers(left);
}

/// On a slave: notes that another one has ended without the job after the loss of rank 0, whose place it will not take.
void Shutdown::noteNoSuccessor(int rank, int status) {
    if (!earlyLeaver_) earlyLeaverStatus_ = status;
    if (!earlyLeaver_) earlyLeaver_ = rank;
    insist([&] { detail::mailboxOf(connector_).departures().lose({rank, "has ended its program without running the job"}); });
}

/// On a slave that has not run the job: the ranks that run it end without rank 0, and must not wait for this one.
void Shutdown::tellThatNoSuccessor(int status) {
    Mailbox& mailbox = detail::mailboxOf(connector_);
    for (int rank = 1; rank < firstSize_; ++rank) {
        if (rank != connector_.rank() && !isLost(rank)) sayLeft(mailbox, rank, withoutRun, status);
    }
    mailbox.pumpUntil([&] { return mailbox.transport().pendingSends() == 0; }, deadlineIn(settings_.grace));
}

void Shutdown::addEarlyLeaver(int rank, int status) {
    addFailure(std::make_exception_ptr(Terminated(fmt::format("rank {} ended its program without running the job", rank),
                                                  status == exitStatus::success ? exitStatus::earlyExit : status)));
}

/// On a slave: notes that the master will never run the job. A slave that serves, or will serve, has nothing to wait for.
void Shutdown::noteMasterWithoutRun() {
    hasMasterLeftWithoutRun_ = true;
    if (phase_ != Phase::Running) return;
    const bool isMissed = end_ == End::WithAll;
    if (!isMissed) exitStatus_ = exitStatus::success;
    detail::mailboxOf(connector_)
        .due()
        .stop(std::make_exception_ptr(Terminated("the master (rank 0) ended its program without running the job",
                                                 isMissed ? exitStatus::earlyExit : exitStatus::success)));
}

/// On the master: notes a failure of any rank. The first failure stops the job. A Terminated after that is a consequence and not noted. A
/// failure that several ranks met is noted once.
void Shutdown::addFailure(const std::exception_ptr& failure) {
    if (isReleased_ || (!failures_.empty() && terminationStatusOf(failure))) return;
    const bool isKnown = insist([&] { return known_.contains(failure); });
    if (isKnown) return;
    const bool isFirst = failures_.empty();
    const int status = isFirst ? insist([&failure] { return exitStatusOf(failure); }) : 0;
    std::string reason = isFirst ? insist([&failure] { return textOf(failure); }) : std::string();
    insist([&] {
        known_.add(failure);
        failures_.push_back(failure);
    });
    if (isFirst) stopAll(failure, status, std::move(reason));
}

void Shutdown::stopAll(std::exception_ptr cause, int exitStatus, std::string reason) {
    exitStatus_ = exitStatus;
    Signals::settle();
    stopReason_ = std::move(reason);
    tellSlavesToStop(exitStatus, stopReason_);
    detail::mailboxOf(connector_).due().stop(std::move(cause));
    if (!failures_.empty() && phase_ == Phase::Running) ifMemory([this] { insist([this] { watchMaster(); }); });
}

void Shutdown::tellSlavesToStop(int exitStatus, const std::string& reason) {
    isStopAlongTree_ = canStopAlongTree(exitStatus);
    if (isStopAlongTree_) tree_.mend();
    if (isStopAlongTree_) tree_.stop(exitStatus, reason);
    for (int rank = isStopAlongTree_ ? firstSize_ : 1; rank < connector_.size(); ++rank) {
        if (rank != connector_.rank()) tellToStop(rank, exitStatus, reason);
    }
}

/// A tree carries one word to stop. A failure after it is told to each rank.
bool Shutdown::canStopAlongTree(int exitStatus) const {
    const bool canBe = connector_.isMaster() && !isAlone_ && !tree_.isInUse();
    return canBe && tree_.isWorthwhile(exitStatus != exitStatus::success);
}

void Shutdown::tellToStop(int rank, int exitStatus, const std::string& reason) {
    const auto post = [&] {
        detail::mailboxOf(connector_).post(rank, Channel::Control, Envelope{MessageKind::Stop, 0, exitStatus}, [&](IntWriter& out) {
            out << reason;
        });
    };
    ifMemory([&post] { insist(post); });    // the other ranks hear of the failure in any case, and the grace time ends this rank
}

/// On the master: tells each rank that has not left. A rank above it in the tree may be at work, or dead.
void Shutdown::tellStayersToStop() {
    for (int rank = 1; rank < firstSize_; ++rank) {
        if (!statuses_[static_cast<std::size_t>(rank)] && !isLost(rank)) tellToStop(rank, *exitStatus_, stopReason_);
    }
}

/// Limits the time of the master's program, which may catch the Terminated and run on.
void Shutdown::watchMaster() {
    if (detail::mailboxOf(connector_).transport().hasVirtualTime()) return;
    const std::chrono::milliseconds time = masterPatience * settings_.grace;
    const JobReport report(*exitStatus_, failures_, fmt::format("the master (rank 0) did not end within {} ms", time.count()));
    watchdog_.arm(time, [report, settings = settings_] { endFromOutside(report, settings); });
}

void Shutdown::reportToMaster(const std::exception_ptr& failure) {
    insist([&] {
        const ExceptionMessage message(failure);
        detail::mailboxOf(connector_).post(master(), Channel::Control, Envelope{JobKind::Report, 0, 0}, [&](IntWriter& out) {
            message.writeToInts(out);
        });
    });
}

int Shutdown::conduct(End end, const std::function<int()>& part) {
    Failures failures(1);    // a place for the failure, since there may be no memory when it comes
    end_ = end;
    phase_ = Phase::Running;
    hasRun_ = true;
    int status = exitStatus::success;
    try {
        beginPart();
        status = part();
        failures.clear();
    } catch (ForcedUnwind&) {
        throw;
    } catch (...) {
        failures.front() = std::current_exception();    // the one place that catches all exceptions of a rank's program
    }
    return leave(failures, status);
}

void Shutdown::beginPart() {
    if (earlyLeaver_ && isMaster()) addEarlyLeaver(*earlyLeaver_, earlyLeaverStatus_);
    if (hasMasterLeftWithoutRun_) noteMasterWithoutRun();
    if (end_ == End::WithAll) detail::mailboxOf(connector_).departures().tellEachLoss();
    detail::mailboxOf(connector_).throwIfDue();
}

int Shutdown::conductExit(int status, const Failures& underWay) {
    if (isEnding()) return isOver() ? status : exitStatus_.value_or(status);
    if (phase_ == Phase::Before) {
        const int jobStatus = leave({}, status);
        return jobStatus == exitStatus::success ? status : jobStatus;
    }
    const bool isMastersWish = connector_.isMaster() && end_ == End::WithMaster && status == exitStatus::success;
    if (isMastersWish) return leave({});
    return leave(insist([&] {
        Failures failures{std::make_exception_ptr(Terminated(fmt::format("exit({}) was called on rank {}", status, connector_.rank()),
                                                             status == exitStatus::success ? exitStatus::earlyExit : status))};
        // The exit() may be the answer of a handler or a destructor to an exception, which is the cause then.
        std::copy_if(underWay.begin(), underWay.end(), std::back_inserter(failures),
                     [](const std::exception_ptr& e) { return !isOf<Terminated>(e); });
        return failures;
    }));
}

/// status: the status that the rank's program returned, or the status with which the rank ends without having run.
int Shutdown::leave(const Failures& failures, int status) {
    try {
        leaveInOrder(failures, status);
    } catch (const std::bad_alloc&) {
        endWithoutMemory(failures);
    } catch (const std::exception&) {    // such as a UsageError, since another thread is in a call of this rank's connector
        if (isOver()) throw;
        Failures all = failures;
        all.push_back(std::current_exception());
        giveUp(all, fmt::format("rank {} could not leave the job in order", connector_.rank()));
    }
    return *exitStatus_;
}

void Shutdown::leaveInOrder(const Failures& failures, int status) {
    phase_ = Phase::Ending;
    watchdog_.disarm();
    // A failure wakes the other ranks by itself. The end of a job that ends with its master does so, too.
    if (hasRun_ && end_ == End::WithAll && failures.empty()) {
        connector_.finishStartedBefore(deadlineIn(settings_.grace));    // other ranks may need this rank's part
        farewell_.begin(tree_.hasManyRanks());
        sayFarewellIfDue();
    }
    while (!isMaster() && !endSlave(failures, status)) {}
    if (isMaster() && !isReleased_) endMaster(failures, status);
    if (!hasRun_ && !connector_.isMaster() && isLost(0)) tellThatNoSuccessor(status);
    phase_ = Phase::Over;
    Signals::settle();
    if (onOver_) onOver_();
}

/// Whether the end of a job in which every rank has a part goes along the tree.
bool Shutdown::canLeaveAlongTree() const {
    return hasRun_ && end_ == End::WithAll && failures_.empty() && !exitStatus_ && master() == 0 && tree_.isWorthwhile(false);
}

/// Tells all other ranks that no more letters come from this one, unless it has told them. Does nothing before the time for that.
void Shutdown::sayFarewellIfDue() {
    if (!farewell_.isDue()) return;
    const bool canTellStayers = connector_.isMaster() && tree_.hasManyRanks() && connector_.size() == firstSize_;
    if (!canTellStayers) return isMaster() ? farewell_.sayToAll() : farewell_.sayToStayers();
    const std::vector<int> stayers = insist([this] { return silentRanks(); });
    farewell_.sayTo(stayers);
    tree_.tellStayers(stayers);
}

void Shutdown::endMaster(const Failures& failures, int status) {
    // A Terminated of the master after the job was stopped is no failure of its own. With several exceptions, where one came while another
    // was under way, each of them may be the cause.
    if (failures_.empty() || failures.size() > 1) {
        for (const std::exception_ptr& failure : failures) addFailure(failure);
    }
    statuses_[static_cast<std::size_t>(connector_.rank())] = status;
    if (failures_.empty() && !hasRun_) {
        for (int rank = 1; rank < connector_.size(); ++rank) sayLeft(detail::mailboxOf(connector_), rank, withoutRun, status);
    } else if (failures_.empty() && end_ == End::WithMaster) {
        stopAll(std::make_exception_ptr(Terminated(jobIsDone, exitStatus::success)), exitStatus::success, jobIsDone);
    }
    waitForSlaves();
    if (isReleased_) return finishRelease();
    if (!failures_.empty()) {
        waitForStoppedSlaves();
        if (isReleased_) return finishRelease();
        insist([this] { return JobReport(*exitStatus_, failures_); }).print();
    }
    if (failures_.empty()) exitStatus_ = statusOfPrograms();
    if (!failures_.empty() && isLossFailure(failures_.front())) EndMarker::write(settings_.endMarkerPath, *exitStatus_, true);
    const bool wasJob = hasRun_ || !failures_.empty();    // otherwise each program has its own status
    if (wasJob) insist([this] { return JobReport(*exitStatus_, failures_); }).save(settings_.reportPath);
    releaseSlaves();
}

Shutdown::Clock::time_point Shutdown::deadlineIn(std::chrono::milliseconds time) {
    return detail::mailboxOf(connector_).transport().now() + time;
}

/// Waits without a limit while nothing has failed. Logs every 10 seconds which ranks are awaited.
void Shutdown::waitForSlaves() {
    const auto isOver = [this] { return isReleased_ || haveAllLeft() || !failures_.empty(); };
    if (tree_.isInUse() && !pumpAndTellLosses(isOver, tree_.deadline())) tellStayersToStop();
    if (farewell_.at() != Clock::time_point::max() && !pumpAndTellLosses(isOver, farewell_.at())) sayFarewellIfDue();
    while (!pumpAndTellLosses(isOver, deadlineIn(10s)))
        ifMemory([this] {
            logLine(end_ == End::WithMaster ? spdlog::level::warn : spdlog::level::info, "waiting for rank {}, which still works",
                    fmt::format("{}", fmt::join(silentRanks(), ", ")));
        });
}

/// On the master: waits as Mailbox::pumpUntil() does. After a time each rank that has not left is told of the losses that went along the
/// tree.
bool Shutdown::pumpAndTellLosses(const std::function<bool()>& isOver, Clock::time_point deadline) {
    Mailbox& mailbox = detail::mailboxOf(connector_);
    for (;;) {
        const Clock::time_point tellsAt = tree_.tellsEachAt();
        const auto condition = [&] { return isOver() || tree_.tellsEachAt() != tellsAt; };
        if (mailbox.pumpUntil(condition, std::min(deadline, tellsAt))) {
            if (isOver()) return true;
        } else if (tellsAt <= deadline) {
            tree_.tellLossesTo(insist([this] { return silentRanks(); }));
        } else {
            return false;
        }
    }
}

void Shutdown::waitForStoppedSlaves() {
    const auto isOver = [this] { return isReleased_ || haveAllLeft(); };    // released: by a master that was lost then
    const Clock::time_point end = deadlineIn(settings_.grace);
    if (isStopAlongTree_ && !detail::mailboxOf(connector_).pumpUntil(isOver, tree_.deadline())) tellStayersToStop();
    if (detail::mailboxOf(connector_).pumpUntil(isOver, end)) return;
    const std::string silent = fmt::format("{}", fmt::join(silentRanks(), ", "));
    forceEnd(silent.empty() ? fmt::format("messages of the master were not received within {} ms", settings_.grace.count())
                            : fmt::format("rank {} did not stop within {} ms", silent, settings_.grace.count()));
}

/// Whether the release goes along a tree. Few ranks are told faster one by one. But the master may die between two of them.
bool Shutdown::canReleaseAlongTree() const {
    const bool canMasterDie = end_ == End::WithAll && detail::mailboxOf(connector_).transport().survivesLosses();
    return hasRun_ && (canMasterDie || release_.hasManyRanks());
}

/// Releases the slaves. Every rank has left and no message is under way: each rank may return, with the common status.
void Shutdown::releaseSlaves() {
    isReleased_ = true;
    if (isAlone_) return;
    const bool isAlongTree = canReleaseAlongTree();
    if (isAlongTree) release_.begin(*exitStatus_);
    for (int rank = isAlongTree ? firstSize_ : 1; rank < connector_.size(); ++rank) {
        if (rank != connector_.rank()) sayLeft(detail::mailboxOf(connector_), rank, afterRun, *exitStatus_);
    }
    finishRelease();
    detail::mailboxOf(connector_)
        .pumpUntil([this] { return detail::mailboxOf(connector_).transport().pendingSends() == 0; }, deadlineIn(settings_.grace));
}

/// On a rank that is released: hands the release on. Where every rank has a part, the rank stays until all are released. When the rank that
/// releases them is lost, the lowest rank that is left takes its place.
void Shutdown::finishRelease() {
    if (!release_.isReleased()) return;
    release_.awaitBelow();
    Mailbox& mailbox = detail::mailboxOf(connector_);
    const Clock::time_point end = deadlineIn(masterPatience * settings_.grace);    // the loss of a silent rank is known long before
    int told = -1;
    bool isInTime = end_ == End::WithAll;
    while (isInTime && !release_.areAllReleased()) {
        const int root = release_.root();
        if (root == connector_.rank()) {
            release_.awaitBelow();
            release_.tellAll();
        } else if (!isLost(root)) {
            release_.awaitBelow();
            isInTime = mailbox.pumpUntil([&] { return release_.areAllReleased() || release_.root() != root || isLost(root); }, end);
        } else if (isMaster()) {
            release_.begin(*exitStatus_);
        } else {
            const int successor = master();
            if (successor != told) release_.tellSuccessor(successor);
            told = successor;
            isInTime = mailbox.pumpUntil(
                [&] { return release_.areAllReleased() || release_.root() != root || master() != successor || isLost(successor); }, end);
            isInTime = isInTime && hasRun_;    // a rank that has not run the job knows of no successor
        }
    }
    release_.awaitHeard();
    mailbox.pumpUntil([&] { return mailbox.transport().pendingSends() == 0; }, deadlineIn(settings_.grace));
}

/// Leaves the job. False: the master was lost meanwhile, and the rank has to leave again, to the next master, or as the master.
bool Shutdown::endSlave(const Failures& failures, int status) {
    Mailbox& mailbox = detail::mailboxOf(connector_);
    const int to = master();
    const bool hasFailed = reportToMaster(failures);
    if (hasFailed) awaitAnswer(failures);
    // From here on the master limits the time. Every rank still receives, so that all pending sends can complete.
    mailbox.pumpUntil([&] { return isLost(to) || mailbox.transport().pendingSends() == 0; }, Clock::time_point::max());
    leavesAtOnce_ = leavesAtOnce_ && !exitStatus_;    // a slave leaves at once only if the job is not told to stop
    const auto isOver = [&] { return isReleased_ || master() != to; };
    // The status of a program counts only where no rank has failed.
    const bool isInOrder = exitStatus_ && (status == exitStatus::success || *exitStatus_ != exitStatus::success);
    const bool isQuiet = failures.empty() && status == exitStatus::success && canLeaveAlongTree();
    const bool isAlongTree = isQuiet || (tree_.isInUse() && to == 0 && hasRun_ && !leavesAtOnce_ && isInOrder);
    if (!isAlongTree || hasFailed) sayLeft(mailbox, to, leavesAtOnce_ ? atOnce : hasRun_ ? afterRun : withoutRun, status);
    if (isQuiet) tree_.mend();
    if (isAlongTree) tree_.leave(hasFailed, [&] { return isOver() || isLost(to); });
    if (!isAlongTree) tree_.leaveAround();
    saidLeftTo_ = to;
    if (leavesAtOnce_) {
        exitStatus_ = exitStatus::success;
        isReleased_ = true;
        mailbox.pumpUntil([&] { return isLost(to) || mailbox.transport().pendingSends() == 0; }, Clock::time_point::max());
    }
    const bool isDismissed = hasRun_ && end_ == End::WithMaster && failures.empty();
    if (isDismissed) rest([&] { return isOver() || exitStatus_; });
    awaitRelease(isQuiet, !isAlongTree && !tree_.isInUse());
    if (isReleased_) finishRelease();
    return isReleased_;
}

/// Waits for the end of the job on a slave that has left. A rank above it in the tree may be silent, or dead: after a time this one asks
/// its parent, and tells the master itself where no answer comes. isQuiet: the job ends without a word to stop, and a loss gives the rank
/// another place in the tree.
void Shutdown::awaitRelease(bool isQuiet, bool doesMasterKnow) {
    enum class Known { ToNobody, ToParent, ToMaster };
    Mailbox& mailbox = detail::mailboxOf(connector_);
    const auto isOver = [this, to = saidLeftTo_] { return isReleased_ || master() != to; };
    const auto isCut = [this, &isOver] { return isOver() || isLost(saidLeftTo_); };
    Known known = doesMasterKnow ? Known::ToMaster : Known::ToNobody;
    bool isAsked = false;
    std::chrono::milliseconds askAgain = timeToAskAgain;
    Clock::time_point end = tree_.deadline();
    while (!isOver()) {
        const std::size_t lostCount = tree_.lostCount();
        const auto hasNews = [&] {
            if (isQuiet && tree_.isMended(lostCount)) return true;
            return known == Known::ToMaster ? isOver() : isCut() || (isAsked && tree_.isHeard());
        };
        const Clock::time_point farewell = farewell_.at();
        const bool isLate = !mailbox.pumpUntil(hasNews, known == Known::ToMaster ? farewell : std::min(end, farewell));
        if (isOver()) return;
        if (isQuiet && tree_.isMended(lostCount) && !isCut()) {
            tree_.mend();
            tree_.leave(false, isCut);
            known = Known::ToNobody;
            isAsked = false;
            end = tree_.deadline();
        } else if (isLate && farewell_.isDue()) {
            sayFarewellIfDue();
        } else if (known == Known::ToMaster) {
            continue;
        } else if (isAsked && tree_.isHeard() && !isCut()) {
            known = Known::ToParent;
            isAsked = false;
            end = deadlineIn(askAgain);
            askAgain *= 2;
        } else if (isQuiet && !isAsked && !isCut() && tree_.askParent()) {
            isAsked = true;
            end = tree_.deadline();
        } else {
            tree_.tellMaster();
            known = Known::ToMaster;
        }
    }
}

/// Waits for the end of the job on a slave that was dismissed. This wait may be a part of a deadlock, and the search for deadlocks knows
/// that nothing comes from this slave.
void Shutdown::rest(const std::function<bool()>& isOver) {
    detail::mailboxOf(connector_).pumpUntil(isOver, Clock::time_point::max(), detail::Waiter::Resting, [] {
        return detail::Awaited{{0}, "the end of the job, since it was dismissed"};
    });
}

/// Reports the failures of this rank itself to the master. True: there was such a failure.
bool Shutdown::reportToMaster(const Failures& failures) {
    const auto isOwn = [this](const std::exception_ptr& failure) { return !isConsequence(failure); };
    for (const std::exception_ptr& failure : failures) {
        if (isOwn(failure)) reportToMaster(failure);
    }
    return std::any_of(failures.begin(), failures.end(), isOwn);
}

/// Waits until the job is told to stop or the master is lost. Ends the job by force when the master does not answer.
void Shutdown::awaitAnswer(const Failures& failures) {
    const std::exception_ptr& failure = failures.front();
    Mailbox& mailbox = detail::mailboxOf(connector_);
    const auto isAnswered = [this, to = master()] {
        return isLost(to) || exitStatus_.value_or(exitStatus::success) != exitStatus::success;
    };
    // Several ranks may fail under a busy master. Each rank has another time limit, so that one rank stops the others as the master would.
    // Among ranks that stop the others at the same time, the lowest one wins.
    if (mailbox.pumpUntil(isAnswered, deadlineIn(settings_.grace) + 100ms * std::min(connector_.rank() - 1, 10))) return;
    ifMemory([&failure] {
        static_cast<void>(report(failure));
    });    // the first report of a process takes long, and another rank may have stopped the job meanwhile
    // The launcher may now send a signal to the other ranks, and kill them a second later.
    checkSignal();
    if (mailbox.pumpUntil(isAnswered, deadlineIn(isSignalled_ ? settings_.grace : 0ms))) return;
    speaksForMaster_ = true;
    tellSlavesToStop(insist([&failure] { return exitStatusOf(failure); }), insist([&failure] { return textOf(failure); }));
    if (mailbox.pumpUntil(isAnswered, deadlineIn(100ms))) return;
    giveUp(failures, fmt::format("the master (rank 0) did not answer within {} ms", settings_.grace.count()));
}

/// Whether the failure is a consequence: the rank was stopped and did not fail by itself.
bool Shutdown::isConsequence(const std::exception_ptr& failure) const {
    const std::optional<int> status = terminationStatusOf(failure);
    return exitStatus_ && status && (*status == exitStatus::success || *exitStatus_ != exitStatus::success);
}

bool Shutdown::haveAllLeft() const {
    if (isAlone_) return true;
    const auto hasLeft = [this](int rank) {
        return rank == connector_.rank() || statuses_[static_cast<std::size_t>(rank)] || isLost(rank);
    };
    while (firstThere_ < connector_.size() && hasLeft(firstThere_)) ++firstThere_;    // who has left does not come back
    if (firstThere_ < connector_.size()) return false;
    return detail::mailboxOf(connector_).transport().pendingSends() == 0;
}

/// The status of a job in which nothing failed. Programs that end without a job keep their own status.
int Shutdown::statusOfPrograms() const {
    if (!hasRun_) return exitStatus::success;
    const auto isFailure = [](const std::optional<int>& status) { return status.value_or(exitStatus::success) != exitStatus::success; };
    const auto first = std::find_if(statuses_.begin(), statuses_.end(), isFailure);
    return first != statuses_.end() ? **first : exitStatus::success;
}

std::vector<int> Shutdown::silentRanks() const {
    std::vector<int> silent;
    for (int rank = 1; rank < connector_.size(); ++rank) {
        if (!statuses_[static_cast<std::size_t>(rank)] && !isLost(rank)) silent.push_back(rank);
    }
    return silent;
}

// The end of a job after the loss of ranks, or after failures that belong to no task.

void Shutdown::stopJob(const std::exception_ptr& failure) {
    const Terminated stopped(Thrown(failure).text(), exitStatusOf(failure));
    detail::mailboxOf(connector_).due().stop(std::make_exception_ptr(stopped));    // the first reason stays
    addFailure(failure);
}

void Shutdown::checkLosses() {
    if (!stragglers_.isEmpty()) stragglers_.look(mailboxOf(connector_).transport().now());
    news_.handle(detail::mailboxOf(connector_).transport(), [this](const Loss& loss) { noteLoss(loss); });
    if (connector_.isMaster() || phase_ == Phase::Over) return;
    // Another rank may have told of the loss of rank 0, by a letter to Departures.
    if (phase_ == Phase::Ending && master() == 0 && isLost(0) && !isReleased_)
        noteLostMaster(detail::mailboxOf(connector_).departures().lossOf(0).value_or(Loss{}));
    if (isMaster() && !hasSucceeded_) succeed();
}

/// Takes over from a lost master. Ranks that have not heard of all losses must know.
void Shutdown::succeed() {
    hasSucceeded_ = true;
    logLine(spdlog::level::warn, "rank {} ends the job in the place of rank 0, which is lost", connector_.rank());
    settings_.endMarkerPath = EndMarker::pathFromEnvironment();
    Departures& departures = detail::mailboxOf(connector_).departures();
    for (int rank = 0; rank < connector_.size(); ++rank) {
        if (const std::optional<Loss> loss = departures.lossOf(rank)) departures.tellOthers(*loss);
    }
    if (earlyLeaver_) addEarlyLeaver(*earlyLeaver_, earlyLeaverStatus_);
}

void Shutdown::noteLoss(const Loss& loss) {
    if (phase_ == Phase::Over || (isLost(loss.rank) && !isMaster())) return;
    if (loss.exitStatus && isMaster()) addFailure(std::make_exception_ptr(Terminated(loss.text(), *loss.exitStatus)));
    insist([&] { detail::mailboxOf(connector_).departures().lose(loss); });
    if (isMaster()) {
        noteLostRank(loss);
    } else if (loss.rank == 0 && master() == 0 && !isReleased_) {
        insist([&] { noteLostMaster(loss); });
    }
}

/// On the master: notes the loss of another rank, and tells all other ranks. The job goes on: where every rank has a part, a call that
/// needs the rank throws LostRank.
void Shutdown::noteLostRank(const Loss& loss) {
    const bool isAlongTree = canTellLossesAlongTree();
    if (loss.rank < firstSize_) isAlongTree ? tree_.tellLosses() : detail::mailboxOf(connector_).departures().tellOthers(loss);
    stragglers_.remove(loss.rank);
    std::optional<int>& status = statuses_[static_cast<std::size_t>(loss.rank)];
    if (status) return;
    if (hasRun_ && end_ == End::WithAll) logLine(spdlog::level::warn, "{}: calls that need it throw a ferry::LostRank", loss.text());
    status = exitStatus::success;
}

/// Whether a loss goes along the tree. Before the end of its program the master tells each rank: a rank at work would keep the word from
/// those below it, and the master itself may be at work when the time has come to tell them.
bool Shutdown::canTellLossesAlongTree() const {
    return phase_ == Phase::Ending && canLeaveAlongTree() && connector_.isMaster() && connector_.size() == firstSize_;
}

/// On a slave: notes the loss of the master. No rank takes this rank's reports any more, so it unwinds and ends.
void Shutdown::noteLostMaster(const Loss& loss) {
    exitStatus_ = exitStatus::lostRank;
    isReleased_ = true;
    Signals::settle();
    const std::string reason = fmt::format("the master is lost: {}", loss.text());
    logLine(spdlog::level::err, "{}", reason);
    detail::mailboxOf(connector_).due().stop(std::make_exception_ptr(Terminated(reason, exitStatus::lostRank)));
    if (detail::mailboxOf(connector_).transport().hasVirtualTime()) return;
    EndMarker::noteMasterLost(EndMarker::pathFromEnvironment());
    if (phase_ != Phase::Running) return;
    watchdog_.arm(settings_.grace, [report = JobReport(exitStatus::lostRank, {}, reason)] { endFromOutside(report, {}); });
}

// The end of a job that cannot end in order.

void Shutdown::giveUp(const Failures& failures, const std::string& explanation) {
    ifMemory([&] {
        failures_ = failures;
        if (failures_.empty()) failures_.push_back(std::make_exception_ptr(Terminated(explanation, exitStatus::exception)));
    });
    exitStatus_ = exitStatus::exception;
    ifMemory([this] {
        if (!failures_.empty()) exitStatus_ = exitStatusOf(failures_.front());
    });
    forceEnd(explanation);
}

void Shutdown::forceEnd(const std::string& explanation) {
    Transport& transport = detail::mailboxOf(connector_).transport();
    // The ranks of a simulation run one at a time, and the process goes on after the simulated job.
    if (!transport.hasVirtualTime() && isForcedEndBegun.exchange(true)) restForEver();
    const int status = exitStatus_.value_or(exitStatus::exception);
    const std::exception_ptr cause = failures_.empty() ? nullptr : failures_.front();
    try {
        JobReport report = insist([&] { return JobReport(status, failures_, explanation); });
        if (transport.survivesLosses() && !isMaster()) report.limitToRank();    // abort() ends this process alone
        report.printAtOnce();
        report.save(settings_.reportPath);
    } catch (const std::bad_alloc&) {
        LastWords::say(connector_.rank(), "the job is ended by force, and there is no memory for its report", cause);
    }
    EndMarker::write(settings_.endMarkerPath, status, isLossFailure(cause));
    transport.abort(status);
    restForEver();
}

void Shutdown::endFromOutside(const JobReport& report, const ShutdownSettings& settings) {
    if (isForcedEndBegun.exchange(true)) restForEver();
    report.printAtOnce();
    report.save(settings.reportPath);
    EndMarker::write(settings.endMarkerPath, report.status(), report.isByLoss());    // an end by a loss has a mark of its own
    ProcessEnd::byForce(report.status(), settings.endMarkerPath);
}

/// Ends the job without memory for an orderly end. Other ranks do not have to wait for this one.
void Shutdown::endWithoutMemory(const Failures& failures) {
    Transport& transport = detail::mailboxOf(connector_).transport();
    if (!transport.hasVirtualTime() && isForcedEndBegun.exchange(true)) restForEver();
    LastWords::say(connector_.rank(), "there is no memory for an orderly end, the job is ended by force",
                   failures.empty() ? nullptr : failures.front());
    const int status = exitStatus_.value_or(exitStatus::success) != exitStatus::success ? *exitStatus_ : exitStatus::exception;
    EndMarker::write(settings_.endMarkerPath, status);
    transport.abort(status);
    restForEver();
}

}    // namespace ferry::detail
