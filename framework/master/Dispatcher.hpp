#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/message/state/Lifetime.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/master/CallJournal.hpp>
#include <ferry/framework/master/Followers.hpp>
#include <ferry/framework/master/JobEvents.hpp>
#include <ferry/framework/master/JobSlaves.hpp>
#include <ferry/framework/master/KeptResults.hpp>
#include <ferry/framework/master/LackOfMemory.hpp>
#include <ferry/framework/master/LetterInHand.hpp>
#include <ferry/framework/master/OpenCalls.hpp>
#include <ferry/framework/master/SharedObjects.hpp>
#include <ferry/framework/master/TaskSender.hpp>
#include <ferry/framework/master/Teams.hpp>
#include <ferry/framework/schedule/Keep.hpp>
#include <ferry/framework/schedule/Schedule.hpp>
#include <ferry/framework/schedule/TaskOptions.hpp>
#include <ferry/framework/schedule/TeamSize.hpp>

namespace ferry::detail {

/// Sends calls to the slaves as the schedule decides, and takes in their replies.
///
/// The tasks of a lost slave go to other slaves. Each task has exactly one result, however much of it a lost slave had done.
/// Without memory, arrived letters and unsent calls stay for a later step. A call fails when there is no memory for its reply.
/// When the lack of memory lasts, every wait throws the std::bad_alloc.
/// While the program waits in its connector, the job goes on (ActiveWork): replies are taken in and tasks are sent. Followers run in waits
/// and polls of the dispatcher only.
/// Threads: like its connector, one at a time.
/// Errors: all exceptions of the mailbox; SerializationError for a damaged letter of a slave; NoSlavesLeft.
class Dispatcher {
public:
    /// The connector and the members of `beside` must outlive the dispatcher. Ranks 1 and up are the slaves.
    /// The schedule treats a sub-master as one slave that does many tasks at a time.
    explicit Dispatcher(Connector& connector, const BesideJob& beside = {});
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;
    ~Dispatcher();

    /// The number of ranks that do tasks and are neither lost nor dismissed.
    int slaveCount() const noexcept { return slaves_.count(); }
    Connector& connector() noexcept { return connector_; }
    /// The life of the dispatcher, for handles that may outlive it.
    const Lifetime& lifetime() const noexcept { return lifetime_; }

    /// Adds `count` slaves to the job (SlaveRecruiter::recruit). The new slaves get the shared objects and the waiting tasks.
    /// Errors: SlavesCannotJoin; UsageError for a negative count.
    void addSlaves(int count);
    /// Lets up to `count` idle slaves leave the job. While tasks are open, one slave stays. Returns the number of slaves that leave.
    /// Errors: UsageError for a negative count.
    int dismissSlaves(int count);

    /// Queues a task. The task is serialized before the call returns. An idle slave gets the task at once.
    std::shared_ptr<Call> submit(const Message& task, const TaskOptions& options = {}) { return submit(task, nullptr, options); }
    /// Queues a task that several slaves do together. Returns the call that gets the reply of the team's rank 0. keep: the result stays
    /// with the slave that is rank 0. Errors: UsageError for a team that is greater than the job, and for options that say that the task is
    /// tried again.
    std::shared_ptr<Call> submit(const Message& task, TeamSize size, std::optional<Keep> keep, const TaskOptions& options = {});
    /// Queues a task whose result stays with its slave.
    std::shared_ptr<Call> submit(const Message& task, Keep keep, const TaskOptions& options = {});

    /// Queues the tasks of a bundle, in one call.
    void submit(const std::shared_ptr<Bundle>& bundle);
    /// The bundles of the job; null: a journal is written, so each task is a call of its own.
    Bundles* bundles() noexcept { return journal_.isThere() ? nullptr : &sender_.bundles(); }

    /// Announces that `taskCount` tasks are going to be submitted. Negative: fewer tasks than announced before. Only the monitor uses the
    /// number.
    void announce(std::ptrdiff_t taskCount) { events_.announced(taskCount); }

    /// To be called before each of many submissions without waits between them. Every 64th call takes in the arrived letters.
    void lookNowAndThen();

    /// Shares an object with all slaves (SharedObjects).
    std::int32_t share(std::int32_t key, const SharedObjects::Write& write);
    bool unshare(std::int32_t key);

    /// Waits until the completion is done. True: functions of the program have run meanwhile, and may have destroyed handles that wait.
    bool wait(const Completion& completion);

    /// Waits until the condition holds. The condition is evaluated after each arrival.
    void waitUntil(const std::function<bool()>& condition);

    /// Waits until all calls are done and all followers have run. Tasks that handlers submit meanwhile are included.
    void waitForAll();

    /// Takes in the arrived letters, without waiting. awaited: the completion that the caller asks for; null: none.
    void poll(const Completion* awaited = nullptr);

    /// Sets the function that gets each call of the class that a handler on a slave submits. It runs in a wait or poll.
    void onSubmitted(std::int32_t classId, Followers::Adopter adopter) {
        requireThread();
        followers_.onSubmitted(classId, std::move(adopter));
    }

    /// Cancels a call, or all calls that a completion depends on. True: no slave had the call, and it has failed with Cancelled.
    /// False: the call is done, or the slave that has it is told.
    bool cancel(Completion& completion);
    /// Cancels the call if no slave has it. Sends nothing.
    void withdraw(Call& call) {
        if (!call.isDone && call.place != Call::Place::AtSlave) cancelCall(call);
    }

    /// Throws the exception in the handler of a call, or of each call that a completion depends on. A call that no slave has fails with it.
    /// False: all of them are done.
    bool raise(Completion& completion, const std::exception_ptr& exception);
    /// Waits until a slave has begun the call, and returns its rank. For a call that is done, returns the rank that answered. Errors:
    /// UsageError when the completion is no call; the call's failure when the call failed before any slave began it.
    int rankOf(Completion& completion);
    /// The rank of the slave that has the call, or that answered it, as far as it is known. Errors: UsageError as for rankOf().
    std::optional<int> knownRankOf(const Completion& completion) const;

    /// The completions, and the functions that run after them, in the next wait or poll or in the current one.
    Followers& followers() noexcept { return followers_; }

    /// The number of calls that are not done.
    std::size_t openCount() const noexcept { return calls_.count(); }
    /// The number of calls like this one that should be open, so that no slave runs out of work.
    std::size_t wantedCount(const Call& call) const { return schedule_.wantedCount(call.facts); }

private:
    /// A call of the dispatcher. While one lives, the mailbox does not call the dispatcher back.
    class Working {
    public:
        explicit Working(Dispatcher& dispatcher)
            : oneThread_(detail::mailboxOf(dispatcher.connector_).thread()),
              isWorking_(dispatcher.isWorking_),
              before_(std::exchange(isWorking_, true)) {}
        Working(const Working&) = delete;
        Working& operator=(const Working&) = delete;
        ~Working() { isWorking_ = before_; }

    private:
        const OneThread::Call oneThread_;
        bool& isWorking_;
        const bool before_;
    };

    struct Counts {
        LackOfMemory lack;
        std::uint32_t submissions = 0;
    };

    /// Errors: UsageError when this thread may not call now (OneThread).
    void requireThread() const { detail::mailboxOf(connector_).thread().require(); }

    void workInWait();
    void moveOn(bool looks);
    /// The time at which the job has to be moved on although no letter comes.
    Call::TimePoint nextWork() { return isWorking_ ? Call::TimePoint::max() : nextDue(); }
    std::string remarkOnWork() const;
    Call::TimePoint nextDue() { return std::min(calls_.nextDue(), schedule_.nextRecall()); }
    bool waitUntil(const std::function<bool()>& condition, const Mailbox::Describe& describe, const Completion* awaited = nullptr);
    void rest(const Mailbox::Describe& describe, const BesideWait& beside);
    void attend();
    void attendBeside(Call::TimePoint now);
    /// The time at which attendBeside() has work to do if no letter comes.
    Call::TimePoint nextBeside() const { return std::min(journal_.nextFlush(), events_.nextShow()); }

    static const Filter& lettersOfSlaves();
    void takeInAll();
    bool hasLetter();
    void takeIn(LetterInHand& hand);
    void begin(LetterInHand& hand);
    void takeIn(LetterInHand& hand, const Parcel& parcel, Call::TimePoint now);
    void takeInStart(const std::shared_ptr<const Letter>& letter);
    void takeInReply(LetterInHand& hand, const Parcel& parcel, Call::TimePoint now);
    void takeBack(int from, const Parcel& parcel);
    void adopt(int from, const Parcel& parcel);
    std::shared_ptr<Call> callAt(int rank, std::int32_t number, const char* what);

    std::shared_ptr<Call> submit(const Message& task, std::shared_ptr<KeptUse> makes, const TaskOptions& options);
    KeptResults::Actions actionsForResults();
    void holdAgain(Call& call);
    void takeFromQueue(Call& call);
    void hold(Call& call);
    std::shared_ptr<Call> makeCall();
    void admit(const std::shared_ptr<Call>& call);
    void enqueueAgain(Call& call);
    void requireTurn() const;
    void feed(Schedule::Supply supply);
    void enqueue(Call& call);
    bool takeFromJournal(Call& call, const Parcel& task);
    void leaveOutOfJournal(int slaveRank);
    void fail(Call& call, const std::exception_ptr& failure);
    bool retry(Call& call, const std::exception_ptr& failure);
    void finish(Call& call, std::exception_ptr failure);
    bool cancelCall(Call& call);
    void raiseIn(Call& call, const std::exception_ptr& exception);
    bool isEndedBefore(Call& call);
    bool stop(Call& call, const std::exception_ptr& reason);
    void tellCancelled(Call& call);
    void noteOverdue(Call& call);

    void takeInLosses();
    void takeInLoss(const Loss& loss);
    void takeInNotice(const Letter& letter);
    void takeInOrphaned(const Letter& letter);
    bool takeFromLost(const Loss& loss, const Schedule::Orphan& orphan);
    void endTeamOf(Call& call, const Loss& loss);
    void failAll();

    Connector& connector_;
    JobEvents events_;
    CallJournal journal_;
    Schedule schedule_;
    SharedObjects sharedObjects_;
    JobSlaves slaves_;
    OpenCalls calls_;
    Followers followers_;
    TaskSender sender_;
    Teams teams_;
    KeptResults kept_;
    std::optional<LetterInHand> inHand_;    ///< letter that is being taken in. Without memory it stays for a later step
    bool isWorking_ = false;
    Counts counts_;
    Lifetime lifetime_;    ///< the last member: it ends before the functions that may hold futures
};

}    // namespace ferry::detail
