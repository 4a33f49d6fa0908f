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
#include <ferry/framework/ending/ShutdownSettings.hpp>
#include <ferry/framework/ending/Watchdog.hpp>

namespace ferry {

class JobReport;

/// Sees one rank to the end of the job, whatever way that end comes: no rank is left waiting, every rank exits with the same status, and
/// the master prints one report.
///
/// How it goes: a rank that fails reports to the master; the master tells every rank to stop, which throws Terminated from whatever call
/// of Ferry that rank is in; every rank unwinds, waits until its sends are gone, and says that it has left; when all have, the master
/// releases them with the final status, and they return. A rank that does not answer within the grace time is named and the job is ended
/// by force; so is the master, which may have results to save, after some times as long. A rank that goes without having run says so, and
/// the others do not wait for it. A slave that is lost has left, and the job goes on, if it is its master's; else, and when the master is
/// lost, it ends with exitStatus::lostRank. Where every rank has a part, one that has returned says so to all, so that nobody waits for its
/// messages. Threads: the thread of its rank.
class Shutdown {
public:
    using Clock = Transport::Clock;

    /// When a job whose program returns normally is over.
    enum class End {
        WithMaster,    ///< when the master's part returns; slaves only serve
        WithAll,       ///< when every rank's part has returned
    };

    /// The master has so many times the grace time.
    static constexpr int masterPatience = 5;

    /// Listens from now on. The connector must outlive the object.
    explicit Shutdown(Connector& connector, ShutdownSettings settings = {});
    Shutdown(const Shutdown&) = delete;
    Shutdown& operator=(const Shutdown&) = delete;

    /// On the master: whether the other ranks are there at all. Threads are only while the job runs.
    void setAlone(bool isAlone) noexcept { isAlone_ = isAlone; }

    /// On the master: ranks have joined the connector.
    void admitJoined() { statuses_.resize(static_cast<std::size_t>(connector_.size())); }

    /// On a slave whose part ends before the job: it does not wait for the others, and the master sends it nothing more.
    void leaveAtOnce() noexcept { leavesAtOnce_ = true; }

    /// Runs this rank's part of the job and everything that follows; the exit status of the job. When nothing fails it is the one that the
    /// part of the lowest rank returned which returned another than 0.
    int conduct(End end, const std::function<int()>& part);

    /// This rank's program ends: exit() or the end of main(). Before the job has run, it leaves without it; in the middle of it, it
    /// stops the others first. The status with which the rank has to exit.
    int conductExit(int status);

    /// Exceptions of one rank, the oldest first.
    using Failures = std::vector<std::exception_ptr>;

    /// This rank fails where it cannot unwind, or outside its part of the job: stops the others. The exit status of the job.
    int conductFailure(const Failures& failures) { return leave(failures); }

    /// True when the rank has left the job in order.
    bool isOver() const noexcept { return phase_ == Phase::Over; }

    /// When it is over, that of the job; 0 where the programs ended without one.
    int jobStatus() const noexcept { return exitStatus_.value_or(0); }

    /// True from the moment on in which the rank's part has ended.
    bool isEnding() const noexcept { return phase_ >= Phase::Ending; }

    /// Calls the function when the rank has left the job in order.
    void onOver(std::function<void()> function) { onOver_ = std::move(function); }

    /// On the master, while its program runs: stops the job for a failure that belongs to no call. Then each call throws Terminated.
    void stopJob(const std::exception_ptr& failure);

    /// Reports failures (or none) after which an orderly end is impossible, and ends the job at once.
    [[noreturn]] void giveUp(const Failures& failures, const std::string& explanation);

    /// Ends the job from a thread that is no rank: this process reports, and exits with the status that the report tells, and the launcher
    /// ends the others.
    [[noreturn]] static void endFromOutside(const JobReport& report, const ShutdownSettings& settings);

private:
    enum class Phase { Before, Running, Ending, Over };

    int leave(const Failures& failures, int status = 0);
    void leaveInOrder(const Failures& failures, int status);
    [[noreturn]] void endWithoutMemory(const Failures& failures);
    void endMaster(const Failures& failures, int status);
    void endSlave(const Failures& failures, int status);
    bool reportToMaster(const Failures& failures);
    void awaitAnswer(const Failures& failures);

    void listenAsMaster();
    void listenAsSlave();
    void beginPart();
    void checkSignal();
    void checkLosses();
    void noteLoss(const Loss& loss);
    void noteLostSlave(const Loss& loss);
    void noteLostMaster(const Loss& loss);
    bool isNeeded(int rank) const;
    bool isMasterLost() const noexcept { return connector_.mailbox().isLost(0); }
    void noteLeft(int rank, std::int32_t key, int status);
    void noteMasterWithoutRun();
    void addFailure(const std::exception_ptr& failure);
    void addEarlyLeaver(int rank, int status);
    bool isConsequence(const std::exception_ptr& failure) const;
    void stopAll(std::exception_ptr cause, int exitStatus, const std::string& reason);
    void tellSlavesToStop(int exitStatus, const std::string& reason);
    void sayLeft(int to, std::int32_t key, std::int32_t number);
    void reportToMaster(const std::exception_ptr& failure);
    Clock::time_point deadlineIn(std::chrono::milliseconds time);
    void waitForSlaves();
    void waitForStoppedSlaves();
    void releaseSlaves();
    bool haveAllLeft() const;
    int statusOfPrograms() const;
    std::string silentRanks() const;
    [[noreturn]] void forceEnd(const std::string& explanation);
    void watchMaster();

    Connector& connector_;
    ShutdownSettings settings_;
    const int firstSize_;    ///< ranks from this one on have joined since, and reach the master alone
    Watchdog watchdog_;      ///< on the master: over its program, when the job is stopped
    End end_ = End::WithAll;
    Phase phase_ = Phase::Before;
    bool hasRun_ = false;
    bool isAlone_ = false;
    Failures failures_;                           ///< on the master; the cause comes first
    std::vector<std::optional<int>> statuses_;    ///< on the master, by rank: what the programs of those that have left returned
    std::size_t leftCount_ = 0;
    std::optional<int> earlyLeaver_;          ///< on the master: a rank that left without having run, and
    int earlyLeaverStatus_ = 0;               ///< with which status
    bool hasMasterLeftWithoutRun_ = false;    ///< on a slave
    std::optional<Loss> firstLoss_;           ///< on the master
    std::function<void()> onOver_;            ///< null: nobody asks
    int signal_ = 0;                          ///< a signal that has come and is still to be told; 0: none
    bool isSignalled_ = false;                ///< on a slave: it has told the master of a signal
    bool speaksForMaster_ = false;            ///< on a slave: it stops the job, since the master does not answer
    bool leavesAtOnce_ = false;               ///< on a slave
    bool isReleased_ = false;                 ///< all ranks have left, and know the final status
    std::optional<int> exitStatus_;           ///< known as soon as the job is told to stop
};

}    // namespace ferry
