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

/// Sends calls to the slaves as the schedule decides, and takes in their replies.
///
/// The tasks of a lost slave go to other slaves. Each task has exactly one result, however much of it a lost slave had done.
/// Without memory, arrived letters and unsent calls stay for a later step. A call fails when there is no memory for its reply.
/// When the lack of memory lasts, every wait throws the std::bad_alloc.
/// Threads: like its connector, one at a time.
/// Errors: all exceptions of the mailbox; SerializationError for a damaged letter of a slave; NoSlavesLeft.
class Dispatcher {
public:
    /// The connector and the members of `beside` must outlive the dispatcher. Ranks 1 and up are the slaves.
    /// The schedule treats a sub-master as one slave that does many tasks at a time.
    explicit Dispatcher(Connector& connector, const BesideJob& beside = {});
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    /// The number of ranks that do tasks and are neither lost nor dismissed.
    int slaveCount() const noexcept { return schedule_.liveCount(); }
    Connector& connector() noexcept { return connector_; }

    /// Errors: UsageError when this thread may not call now (OneThread).
    void requireThread() const { connector_.mailbox().thread().require(); }

    /// Adds `count` slaves to the job (SlaveRecruiter::recruit). The new slaves get the shared objects and the waiting tasks.
    /// Errors: SlavesCannotJoin; UsageError for a negative count.
    void addSlaves(int count);
    /// Lets up to `count` idle slaves leave the job. While tasks are open, one slave stays. Returns the number of slaves that leave.
    /// Errors: UsageError for a negative count.
    int dismissSlaves(int count);

    /// Queues a task. The task is serialized before the call returns. An idle slave gets the task at once.
    std::shared_ptr<Call> submit(const Message& task, const TaskOptions& options = {});

    /// Announces that `taskCount` tasks are going to be submitted. Negative: fewer tasks than announced before. Only the monitor uses the
    /// number.
    void announce(std::ptrdiff_t taskCount);

    /// To be called before each of many submissions without waits between them. Every 64th call takes in the arrived letters.
    void lookNowAndThen();

    /// Shares an object with all slaves (SharedObjects).
    std::int32_t share(std::int32_t key, const SharedObjects::Write& write);
    bool unshare(std::int32_t key);

    /// Waits until the completion is done.
    void wait(const Completion& completion);

    /// Waits until the condition holds. The condition is evaluated after each arrival.
    void waitUntil(const std::function<bool()>& condition);

    /// Waits until all calls are done and all followers have run. Tasks that handlers submit meanwhile are included.
    void waitForAll();

    /// Takes in the arrived letters, without waiting.
    void poll();

    /// Function that gets each call of the class that a handler on a slave submits. It runs in a wait or poll.
    using Adopter = std::function<void(std::shared_ptr<Call>)>;
    void onSubmitted(std::int32_t classId, Adopter adopter) {
        requireThread();
        adopters_[classId] = std::move(adopter);
    }

    /// Cancels a call, or all calls that a completion depends on. True: no slave had the call, and it has failed with Cancelled.
    /// False: the call is done, or the slave that has it is told.
    bool cancel(Completion& completion);
    /// Cancels the call if no slave has it. Sends nothing.
    void withdraw(Call& call);

    /// Marks the completion as done. Its followers run in the next wait or poll, or in the current one.
    void complete(Completion& completion, std::exception_ptr failure = nullptr);
    /// Runs the follower when the completion is done.
    void whenDone(std::shared_ptr<Completion> completion, Completion::Follower follower);

    /// Logs that a call failed and that no caller will ask for its result.
    static void logUnseenFailure(const Completion& completion) noexcept;
    /// Logs a further failure among tasks that were waited for together.
    static void logFurtherFailure(const std::exception_ptr& failure);

    /// The number of calls that are not done.
    std::size_t openCount() const noexcept { return calls_.size(); }
    /// The number of calls like this one that should be open, so that no slave runs out of work.
    std::size_t wantedCount(const Call& call) const { return schedule_.wantedCount(call.facts); }

private:
    void waitUntil(const std::function<bool()>& condition, const Mailbox::Describe& describe);
    /// A letter that is being taken in. Without memory it stays here, and a later step takes in the rest.
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
    Journal* journal_;             ///< null: no journal
    std::function<void(const std::exception_ptr&)> stopJob_;
    bool hasJournalFailed_ = false;
    JobMonitor* monitor_;          ///< null: no monitor
    SlaveRecruiter* recruiter_;    ///< null: no slaves can join
    const SlaveGroups groups_;
    Schedule schedule_;
    BatchPace pace_{schedule_.usualBatchTime()};
    SharedObjects sharedObjects_;
    const bool survivesLosses_;    ///< true: the request of a task is kept, so that it can be sent again
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
