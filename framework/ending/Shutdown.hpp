#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/transport/LossNews.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/EndTree.hpp>
#include <ferry/framework/ending/Farewell.hpp>
#include <ferry/framework/ending/KnownFailures.hpp>
#include <ferry/framework/ending/ReleaseTree.hpp>
#include <ferry/framework/ending/ShutdownSettings.hpp>
#include <ferry/framework/ending/Stragglers.hpp>
#include <ferry/framework/ending/Watchdog.hpp>

namespace ferry::detail {

class JobReport;

/// Leads one rank to the end of the job, in whatever way the end comes. No rank is left waiting, every rank exits with the same status, and
/// the master prints one report.
///
/// The order of events:
/// 1. A rank that fails reports to the master.
/// 2. The master tells every rank to stop. This throws Terminated from the call of Ferry in which a rank is.
/// 3. Every rank unwinds, waits until its sends are complete, and tells the master that it has left.
/// 4. When all ranks have left, the master releases them with the final status, and they return.
/// With many ranks, steps 2 and 3 go along a tree of the ranks (EndTree). Where every rank has a part, so do losses that come meanwhile.
/// Where ranks fail while the job ends, the master talks to each rank itself. Step 4 goes along a tree (ReleaseTree) with many ranks, and
/// wherever the master may die meanwhile.
///
/// A rank that does not answer within the grace time is named, and the job is ended by force. The master may have results to save: it is
/// ended by force after masterPatience times the grace time.
/// A slave that does not leave a team after the loss of another slave is given up (Stragglers), also while the job ends.
/// A rank that ends without having run the job says so, and the other ranks do not wait for it.
/// A lost slave counts as a rank that has left, and the job goes on. Where every rank has a part, calls that need the lost rank throw
/// LostRank; one that leaves the program of a rank stops the job. When the master is lost there, the lowest rank that is left ends the job
/// in its place. Otherwise the job ends with exitStatus::lostRank when the master is lost. Where every rank has a part (End::WithAll), a
/// rank that has returned says so to all, so that no rank waits for its messages. Among many ranks it does so only when the job is not over
/// a second later. Threads: the thread of its rank.
class Shutdown {
public:
    using Clock = Transport::Clock;

    /// The time at which a job is over whose program returns normally.
    enum class End {
        WithMaster,    ///< when the master's part returns; slaves only serve
        WithAll,       ///< when every rank's part has returned
    };

    /// The master has this number of grace times to end.
    static constexpr int masterPatience = 5;

    /// Handles the control letters from now on. The connector must outlive the object.
    explicit Shutdown(Connector& connector, ShutdownSettings settings = {});
    Shutdown(const Shutdown&) = delete;
    Shutdown& operator=(const Shutdown&) = delete;

    /// On the master: sets whether the other ranks do not exist. Ranks that are threads exist only while the job runs.
    void setAlone(bool isAlone) noexcept { isAlone_ = isAlone; }

    /// On the master: notes that ranks have joined the connector.
    void admitJoined() { statuses_.resize(static_cast<std::size_t>(connector_.size())); }

    /// On a slave that leaves before the end of the job: it does not wait for the others, and the master sends it nothing more.
    void leaveAtOnce() noexcept { leavesAtOnce_ = true; }

    /// Runs this rank's part of the job and the end of the job. Returns the exit status of the job. When nothing fails, the lowest rank
    /// whose part returned a status other than 0 gives the status.
    int conduct(End end, const std::function<int()>& part);

    /// The exceptions of one rank, the oldest first.
    using Failures = std::vector<std::exception_ptr>;

    /// Handles the end of this rank's program: exit() or the end of main(). Before the job has run, the rank leaves without it. During the
    /// job, the rank stops the other ranks first. underWay: the exceptions in flight or being handled at the call of exit(), which are told
    /// as further failures. Returns the status with which the rank has to exit.
    int conductExit(int status, const Failures& underWay = {});

    /// Handles a failure of this rank where it cannot unwind, or outside its part of the job: stops the other ranks. Returns the exit
    /// status of the job.
    int conductFailure(const Failures& failures) { return leave(failures); }

    /// True when the rank has left the job in order.
    bool isOver() const noexcept { return phase_ == Phase::Over; }

    /// The exit status of the job when it is over. 0 if the programs ended without running the job.
    int jobStatus() const noexcept { return exitStatus_.value_or(0); }

    /// True as soon as the rank's part has ended.
    bool isEnding() const noexcept { return phase_ >= Phase::Ending; }

    /// The file that tells `ferry run` of the end of the job; empty on ranks that do not tell.
    const std::string& endMarkerPath() const noexcept { return settings_.endMarkerPath; }

    /// Calls the function when the rank has left the job in order.
    void onOver(std::function<void()> function) { onOver_ = std::move(function); }

    /// On the master: the slaves that have to leave a team. They are looked at in each wait until the end of the job, also when the program
    /// of the master has ended.
    Stragglers& stragglers() noexcept { return stragglers_; }

    /// On the master, while its program runs: stops the job for a failure that belongs to no call. Each later call throws Terminated.
    void stopJob(const std::exception_ptr& failure);

    /// Reports the failures (the list may be empty) after which an orderly end is impossible, and ends the job at once.
    [[noreturn]] void giveUp(const Failures& failures, const std::string& explanation);

    /// Ends the job from a thread that is no rank. This process prints the report and exits with its status; the launcher ends the other
    /// processes.
    [[noreturn]] static void endFromOutside(const JobReport& report, const ShutdownSettings& settings);

private:
    enum class Phase { Before, Running, Ending, Over };

    int leave(const Failures& failures, int status = 0);
    void leaveInOrder(const Failures& failures, int status);
    [[noreturn]] void endWithoutMemory(const Failures& failures);
    void endMaster(const Failures& failures, int status);
    bool endSlave(const Failures& failures, int status);
    bool reportToMaster(const Failures& failures);
    void awaitAnswer(const Failures& failures);
    void noteDismissed(const detail::Loss& left);
    void rest(const std::function<bool()>& isOver);

    void listen();
    int master() const;
    bool isMaster() const { return master() == connector_.rank(); }
    bool isLost(int rank) const { return detail::mailboxOf(connector_).departures().isLost(rank); }
    void succeed();
    void beginPart();
    void checkSignal();
    void checkLosses();
    void noteLoss(const Loss& loss);
    void noteLostRank(const Loss& loss);
    void noteLostMaster(const Loss& loss);
    void noteLeft(const Letter& letter);
    void noteLeft(int rank, std::int32_t key, int status);
    void noteBelowLeft(const Letter& letter);
    void noteLosses(const Letter& letter);
    void requireSlave(const Letter& letter) const;
    void noteReleased(const Letter& letter);
    void noteMasterWithoutRun();
    void noteNoSuccessor(int rank, int status);
    void tellThatNoSuccessor(int status);
    void addFailure(const std::exception_ptr& failure);
    void addEarlyLeaver(int rank, int status);
    bool isConsequence(const std::exception_ptr& failure) const;
    void stopAll(std::exception_ptr cause, int exitStatus, std::string reason);
    void tellSlavesToStop(int exitStatus, const std::string& reason);
    bool canStopAlongTree(int exitStatus) const;
    bool canLeaveAlongTree() const;
    bool canTellLossesAlongTree() const;
    bool pumpAndTellLosses(const std::function<bool()>& isOver, Clock::time_point deadline);
    void awaitRelease(bool isQuiet, bool doesMasterKnow);
    bool canReleaseAlongTree() const;
    void finishRelease();
    void sayFarewellIfDue();
    void tellToStop(int rank, int exitStatus, const std::string& reason);
    void tellStayersToStop();
    void reportToMaster(const std::exception_ptr& failure);
    Clock::time_point deadlineIn(std::chrono::milliseconds time);
    void waitForSlaves();
    void waitForStoppedSlaves();
    void releaseSlaves();
    bool haveAllLeft() const;
    int statusOfPrograms() const;
    std::vector<int> silentRanks() const;
    [[noreturn]] void forceEnd(const std::string& explanation);
    void watchMaster();

    Connector& connector_;
    ShutdownSettings settings_;
    const int firstSize_;    ///< number of ranks at the start; ranks from this one on have joined later, and reach only the master
    Stragglers stragglers_;
    Watchdog watchdog_;    ///< on the master: limits the time of its program after the job is stopped
    End end_ = End::WithAll;
    Phase phase_ = Phase::Before;
    bool hasRun_ = false;
    bool isAlone_ = false;
    Failures failures_;                           ///< on the master; the cause comes first
    KnownFailures known_;                         ///< the failures_, for questions
    mutable int firstThere_ = 0;                  ///< the ranks before this one have left, or are lost
    std::vector<std::optional<int>> statuses_;    ///< by rank: the status that the program of a rank returned, as far as this rank was
                                                  ///< told as the master; empty: the rank has not left
    int saidLeftTo_ = -1;                         ///< on a slave: the master that knows that this rank has left; -1: none
    LossNews news_;                               ///< losses to note
    bool hasSucceeded_ = false;                   ///< this rank has taken over from a lost master
    std::optional<int> earlyLeaver_;              ///< on the master: first rank that left without having run
    int earlyLeaverStatus_ = 0;                   ///< status of that rank
    bool hasMasterLeftWithoutRun_ = false;        ///< on a slave
    std::function<void()> onOver_;                ///< null: no function is called
    int signal_ = 0;                              ///< signal that has arrived and is not reported yet; 0: none
    bool isSignalled_ = false;                    ///< on a slave: the rank has reported a signal to the master
    bool speaksForMaster_ = false;                ///< on a slave: the rank stops the job itself, since the master does not answer
    bool leavesAtOnce_ = false;                   ///< on a slave
    EndTree tree_;                                ///< of the ranks that were there at the start
    ReleaseTree release_;
    bool isStopAlongTree_ = false;     ///< on the master: the last word to stop went along the tree
    Farewell farewell_;                ///< where every rank has a part
    std::string stopReason_;           ///< on the master: of the last word to stop
    bool isReleased_ = false;          ///< all ranks have left and know the final status
    std::optional<int> exitStatus_;    ///< set as soon as the job is told to stop
};

}    // namespace ferry::detail
