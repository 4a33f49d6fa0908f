#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <new>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/master/SharedObjects.hpp>
#include <ferry/framework/parcel/TaskNotice.hpp>
#include <ferry/framework/schedule/Agenda.hpp>
#include <ferry/framework/schedule/BatchPace.hpp>
#include <ferry/framework/schedule/Schedule.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/schedule/TaskOptions.hpp>

namespace ferry {

/// Sends calls to the slaves as the schedule decides and takes in what comes back.
///
/// Tasks of a slave that is lost are given to others; each has one result, whatever a lost slave had done of it.
/// Without memory, letters that have come and calls to be sent stay for later. A call fails when there is no memory for its reply. When
/// memory is wanting for long, every wait throws the std::bad_alloc. Threads: as its connector, one at a time. Errors: all that the
/// mailbox throws; SerializationError for a damaged letter of a slave; NoSlavesLeft.
class Dispatcher {
public:
    /// The connector must outlive the dispatcher, and so must what stands beside it. Ranks 1 and up are the slaves.
    /// A sub-master is given tasks as one slave that does many at a time.
    explicit Dispatcher(Connector& connector, const BesideJob& beside = {});
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    /// Those that do tasks, and are neither lost nor dismissed.
    int slaveCount() const noexcept { return schedule_.liveCount(); }
    Connector& connector() noexcept { return connector_; }

    /// Errors: UsageError when this thread may not call now (OneThread).
    void requireThread() const { connector_.mailbox().requireThread(); }

    /// Brings so many slaves more (SlaveRecruiter::recruit), which get what is shared and what waits. Errors: SlavesCannotJoin; UsageError
    /// for less than 0.
    void addSlaves(int count);
    /// Ends the part of so many slaves that have nothing to do, or of fewer when not so many have; while tasks are open one stays. How many
    /// leave. Errors: UsageError for less than 0.
    int dismissSlaves(int count);

    /// Queues a task. What it holds is written when the call returns; a slave with nothing to do has it then.
    std::shared_ptr<Call> submit(const Message& task, const TaskOptions& options = {});

    /// So many tasks are going to be submitted; negative: fewer than was said. For those who watch.
    void announce(std::ptrdiff_t taskCount);

    /// Before each of many submissions, which may come without any wait between them: some of these calls take in what has come back.
    void lookNowAndThen();

    /// Shares an object with all slaves (SharedObjects).
    std::int32_t share(std::int32_t key, const SharedObjects::Write& write);
    bool unshare(std::int32_t key);

    /// Waits until it is done.
    void wait(const Completion& completion);

    /// Waits until the condition holds; it is looked at whenever something came back.
    void waitUntil(const std::function<bool()>& condition);

    /// Waits until all calls are done, those that slaves submit meanwhile included, and all followers have run.
    void waitForAll();

    /// Takes in what has come back, without waiting.
    void poll();

    /// Gets each call of the class that a slave submits; in a wait or poll.
    using Adopter = std::function<void(std::shared_ptr<Call>)>;
    void onSubmitted(std::int32_t classId, Adopter adopter) {
        requireThread();
        adopters_[classId] = std::move(adopter);
    }

    /// Cancels a call, or all that something comes from. True: no slave had it, and it has failed with Cancelled. False: it is done, or the
    /// slave that has it is told.
    bool cancel(Completion& completion);
    /// Cancels it if no slave has it; tells nobody.
    void withdraw(Call& call);

    /// It is done: its followers run in the next wait or poll, or in this one.
    void complete(Completion& completion, std::exception_ptr failure = nullptr);
    /// Runs the function when it is done.
    void whenDone(std::shared_ptr<Completion> completion, Completion::Follower follower);

    /// Says in the log that a call failed and nobody will ask for it.
    static void logUnseenFailure(const Completion& completion) noexcept;
    /// Says in the log what else has failed.
    static void logFurtherFailure(const std::exception_ptr& failure);

    /// Calls that are not done.
    std::size_t openCount() const noexcept { return calls_.size(); }
    /// How many calls like this one should be open so that no slave runs out of work.
    std::size_t wantedCount(const Call& call) const { return schedule_.wantedCount(call.facts); }

private:
    void waitUntil(const std::function<bool()>& condition, const Mailbox::Describe& describe);
    /// A letter that is being taken in. Without memory it stays as it is, and a later step takes in the rest.
    struct InHand {
        std::optional<Letter> letter{};    ///< the letter, until the calls that it answers share it
        std::shared_ptr<const Letter> shared{};
        std::vector<Parcel> parcels{};
        bool isRead = false;
        std::size_t next = 0;    ///< index of the next parcel
        int slaveRank = 0;       ///< the slave whose replies the parcels are
    };

    static const Filter& lettersOfSlaves();
    void takeInAll();
    bool hasLetter();
    void takeIn(InHand& hand);
    void read(InHand& hand);
    void takeIn(InHand& hand, const Parcel& parcel);
    void takeInStart(const std::shared_ptr<const Letter>& letter);
    void rest(const Mailbox::Describe& describe, const BesideWait& beside);
    void bearNoMemory(const std::bad_alloc& failure);
    [[noreturn]] void failJob(const std::exception_ptr& failure);
    void takeInReply(const std::shared_ptr<const Letter>& letter, const Parcel& parcel, int slaveRank);
    void takeBack(int from, const Parcel& parcel);
    void arrangeGroups();
    int slaveBehind(int subMaster, const Parcel& parcel) const;
    void takeInOrphaned(const Letter& letter);
    void noteGroupLoss(int rank);
    void serveSlavesOf(int subMaster);
    void adopt(const Parcel& parcel);
    void attendBeside(Call::TimePoint now);
    template <class Use>
    void useJournal(Use use);
    Call::TimePoint nextBeside() const;
    void noteWait(Call::TimePoint begin);
    void findPace(Call::TimePoint now);
    void leaveOutOfJournal(int slaveRank);
    bool takeFromJournal(Call& call, const Parcel& task);
    std::shared_ptr<Call> makeCall();
    std::shared_ptr<Call> callAt(int rank, std::int32_t number, const char* what) const;
    std::exception_ptr failureIn(const Parcel& parcel) const;
    void fail(Call& call, const std::exception_ptr& failure);
    void finish(Call& call, std::exception_ptr failure);
    bool retry(Call& call, const std::exception_ptr& failure);
    void admit(const std::shared_ptr<Call>& call);
    void enqueue(Call& call);
    bool cancelCall(Call& call);
    bool stop(Call& call, const std::exception_ptr& reason);
    void attend();
    void noteOverdue(Call& call);
    void feed(Schedule::Supply supply);
    void send(const Schedule::Assignment& batch);
    IntBuffer letterOf(const Schedule::Assignment& batch);
    bool isKept(const Call& call) const noexcept;
    void noteSent();
    void notify(int rank, TaskNotice notice, const std::vector<std::int32_t>& calls);
    void recall();
    bool runFollowers();
    void takeInLosses();
    void takeInLoss(const Loss& loss);
    bool takeFromLost(int rank, const Schedule::Orphan& orphan);
    void failAll();
    void requireSlaves() const;
    int doerCount() const;
    std::exception_ptr noSlavesLeft() const;
    void dismiss(int slave);

    Connector& connector_;
    Journal* journal_;             ///< null: none
    std::function<void(const std::exception_ptr&)> stopJob_;
    bool hasJournalFailed_ = false;
    JobMonitor* monitor_;          ///< null: nobody watches
    SlaveRecruiter* recruiter_;    ///< null: no slaves can join
    const SlaveGroups groups_;
    Schedule schedule_;
    BatchPace pace_{schedule_.usualBatchTime()};
    SharedObjects sharedObjects_;
    const bool survivesLosses_;    ///< then what a task needs to be sent again is kept
    boost::unordered_flat_map<std::int32_t, std::shared_ptr<Call>> calls_;
    Agenda deadlines_;
    Agenda retries_;
    std::list<Completion::Following> followers_;            ///< followers of completions that are done
    std::unordered_map<std::int32_t, Adopter> adopters_;    ///< by class key
    std::optional<InHand> inHand_;
    std::optional<Schedule::Assignment> unsent_;    ///< the schedule counts this batch as sent to its slave
    std::exception_ptr journalFailure_;             ///< the next call throws it
    int stepsWithoutMemory_ = 0;
    std::uint32_t sendCount_ = 0;
    Loss lastLoss_;
    std::uint32_t lastNumber_ = 0;
    std::uint32_t submissionCount_ = 0;
};

}    // namespace ferry
