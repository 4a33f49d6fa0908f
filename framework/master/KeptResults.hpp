#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/transport/Loss.hpp>
#include <ferry/framework/journal/JournalKey.hpp>
#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/slave/Ref.hpp>

namespace ferry::detail {

class KeptUse;
class KeptResults;

/// A result that stays with slaves, as the master knows it. The entry stays after the ints are gone, as long as other results may need this
/// result to be made again.
struct KeptResult {
    enum class State {
        Making,    ///< its task is open
        There,     ///< with a slave
        Away,      ///< with no slave
    };
    /// The kind of task that has made the result.
    enum class Origin {
        Repeatable,
        Unrepeatable,    ///< a task with TaskOptions::isRepeatable = false
    };
    struct Holder {
        int source = 0;         ///< the rank from which its copy comes; its own rank: its handler has made the result
        bool canGive = true;    ///< false: it may not have the result yet, or no more
    };

    /// The way to make it again.
    struct Recipe {
        std::shared_ptr<const IntBuffer> request{};            ///< null: it cannot be made again
        std::vector<std::shared_ptr<KeptResult>> sources{};    ///< the results that its task reads
        CallFacts facts{};
        Retry retry{};
        int slavesAtMost = 0;
        int teamSize = 0;       ///< 0: the task is one slave's
        int brokenTeams = 0;    ///< number of teams that were broken by losses since the result was there last
    };
    /// The way to the master.
    struct Bringing {
        int wantCount = 0;    ///< number of calls of get() that wait
        int from = 0;         ///< the slave that sends it; 0: none yet
        std::shared_ptr<const Letter> letter{};
        std::exception_ptr failure{};
    };

    /// Its place in lists that need no memory.
    struct InLists {
        std::shared_ptr<KeptResult> nextReleased{};     ///< of KeptPool
        std::shared_ptr<KeptResult> nextDestroyed{};    ///< of KeptResults::destroy()
        bool isReleased = false;
    };

    std::int32_t number = 0;
    std::int32_t task = 0;    ///< the number of the task that has made it last
    ClassId taskClass = 0;
    Origin origin = Origin::Repeatable;
    State state = State::Making;
    std::map<int, Holder> holders{};    ///< ranks that have the result, or may have it
    std::size_t intCount = 0;
    std::weak_ptr<KeptUse> use{};                  ///< what the Refs and open tasks share
    std::vector<std::weak_ptr<Call>> waiting{};    ///< calls that go on when the result is there again
    std::exception_ptr loss{};                     ///< why it is away; null: nobody needed it
    std::optional<JournalKey> journalKey{};        ///< of its task; none: the job has no journal

    Recipe recipe{};
    Bringing bringing{};
    InLists lists{};
};

/// The link of KeptUses to the results of their master, which may end before them. Threads: the master's; release() on any thread.
class KeptPool {
public:
    explicit KeptPool(KeptResults& results) noexcept : results_(&results) {}
    KeptPool(const KeptPool&) = delete;
    KeptPool& operator=(const KeptPool&) = delete;

    /// The results of the master; null: the master has ended.
    KeptResults* results() const noexcept { return results_; }

    /// Notes that a use of the result has ended. After the end of the master: does nothing.
    void release(std::shared_ptr<KeptResult> result) noexcept;
    bool isAnyReleased() const noexcept { return isAnyReleased_.load(std::memory_order_relaxed); }
    /// Takes out the results of which a use has ended. After a std::bad_alloc all are still there.
    std::vector<std::shared_ptr<KeptResult>> takeReleased();
    /// Notes the end of the master.
    void end() noexcept;

private:
    KeptResults* results_;
    std::shared_ptr<KeptResult> released_{};    ///< list of the results of which a use has ended
    std::atomic<bool> isAnyReleased_{false};
    std::mutex mutex_;
};

/// One use of a result by all Refs and open tasks. With it ends the life of the result on its slaves.
class KeptUse final : public RefTarget {
public:
    KeptUse(std::shared_ptr<KeptPool> pool, std::shared_ptr<KeptResult> result) noexcept
        : pool_(std::move(pool)),
          result_(std::move(result)) {}
    /// Sends nothing: the master tells the slaves at its next step. Threads: any.
    ~KeptUse() override;

    std::int32_t number() const noexcept override { return result_->number; }
    const Message& here(ClassId id, Make make) override;
    std::shared_ptr<const Message> bring(Make make, Deadline deadline) override;

    const std::shared_ptr<KeptResult>& result() const noexcept { return result_; }
    bool isOf(const KeptPool& pool) const noexcept { return pool_.get() == &pool; }

private:
    const std::shared_ptr<KeptPool> pool_;
    std::shared_ptr<KeptResult> result_;
};

/// The part of a call that reads results or makes one that stays with its slave.
struct KeptPart {
    std::vector<std::shared_ptr<KeptUse>> reads;
    std::shared_ptr<KeptUse> makes;    ///< null: the reply travels to the master
    bool isAgain = false;              ///< no future waits for the call
};

/// The results that stay with slaves: where they are, who reads them, and how they are made again.
///
/// A slave asks the master for a result that it does not have, and the master lets a slave that has it send it there. So every wait of a
/// slave for a result ends with the result or with a word of the master, and only the master decides about losses. A call waits here, and
/// not with a slave, while a result that it reads is being made again. So no slave that waits keeps another task from running.
///
/// Ownership: the results are shared with Refs and calls. Threads: the master's. Errors: those of the mailbox.
class KeptResults {
public:
    struct Actions {
        std::function<std::shared_ptr<Call>()> make;                        ///< makes a call with a new number
        std::function<void(const std::shared_ptr<Call>&)> open;             ///< opens the call, and leaves it held
        std::function<void(const std::shared_ptr<TeamCalls>&)> openTeam;    ///< opens the calls of a team, and leaves them held
        std::function<void(Call&)> enqueue;    ///< gives the call to the schedule, if admits(). Lets its team gather when its turn has come
        std::function<void(Call&, const std::exception_ptr&)> stop;    ///< ends a call that no slave has
        std::function<bool(int)> isThere;                              ///< whether the slave is neither lost nor dismissed
        /// Runs the first function as a call of the dispatcher, and waits until the condition holds.
        std::function<void(const std::function<void()>& begin, const std::function<bool()>& condition, Deadline deadline,
                           const Mailbox::Describe& describe)>
            await;
    };

    /// The mailbox must outlive the object. hasJournal: results of an earlier run of the job may be made again.
    KeptResults(Mailbox& mailbox, bool hasJournal, Actions actions);
    KeptResults(const KeptResults&) = delete;
    KeptResults& operator=(const KeptResults&) = delete;
    ~KeptResults();

    /// The Refs of a task that is written.
    class Written final : public RefScope {
    public:
        explicit Written(const KeptResults& results) noexcept : pool_(*results.pool_) {}
        bool isAny() const noexcept { return !uses_.empty(); }
        /// The part of the call that reads the results of these Refs. makes: the result that it makes, or null. Null: neither is there.
        std::shared_ptr<KeptPart> partThatMakes(std::shared_ptr<KeptUse> makes);

    private:
        std::int32_t noteWritten(const std::shared_ptr<RefTarget>& target) override;
        std::shared_ptr<RefTarget> noteRead(std::int32_t number) override;

        const KeptPool& pool_;
        std::vector<std::shared_ptr<KeptUse>> uses_;
        boost::unordered_flat_set<const KeptUse*> known_;
    };

    /// A new result that a call is going to make.
    std::shared_ptr<KeptUse> makeUse();

    /// Whether a later run can recognize the task of the call. False: the task reads a result of a task that no journal knows.
    static bool isRecognizable(const Call& call);
    /// The parcel by which a later run recognizes a task that reads or makes results, as a letter. A Ref stands there as its place in the
    /// call's list of read results, since numbers of results differ between runs. Behind the task stand the keys of the tasks that have
    /// made these results.
    IntBuffer recognizable(const Message& task, const Call& call) const;
    /// Notes that an earlier run has done the task of a call with a KeptPart, with a sound reply. The result that it makes is away.
    void noteDoneBefore(Call& call);

    /// Whether all results that the call reads are there. False: the call is held until they are, or ends with LostResult. True: notes
    /// which slave the call prefers.
    bool admits(Call& call);
    /// Whether all results that the call reads are there. The call must have a KeptPart.
    static bool areThereFor(const Call& call);
    /// The failure of a call whose reply is not the expected one of KeptParcel.hpp. Null: the reply is sound.
    static std::exception_ptr flawOf(const Call& call, const Parcel& reply);
    /// Notes that a call with a KeptPart has ended.
    void noteEnded(Call& call, const std::exception_ptr& failure);
    /// Takes in a notice of a slave about results.
    void takeIn(const std::shared_ptr<const Letter>& notice);
    /// Whether the notice is about results.
    static bool concerns(const Letter& notice) noexcept;
    /// Notes that the slave is lost.
    void lose(const Loss& loss);
    /// Notes that these slaves may have the results of the calls: the word that they have is lost with their sub-master.
    void noteMayHave(const std::vector<int>& slaves, const std::vector<std::shared_ptr<Call>>& calls);
    /// Whether the slave may leave, because it has none of the results.
    bool mayLeave(int rank) const;

    /// Does the work that is due: lets held calls go on, and removes results that nobody uses any more.
    void settle();

    /// Brings a result to the master. The reference must last as long as the call, in which functions of the program may run.
    std::shared_ptr<const Letter> bring(const std::shared_ptr<KeptResult>& result, Deadline deadline);

    /// The number of results that are with slaves or being made.
    std::size_t count() const noexcept { return results_.size(); }
    const ObjectFactory& factory() const noexcept { return mailbox_.factory(); }

private:
    struct Due {
        std::weak_ptr<Call> call;
        std::exception_ptr failure;    ///< null: the call goes on
    };

    std::shared_ptr<KeptUse> useOf(const std::shared_ptr<KeptResult>& result) const;
    std::shared_ptr<Call> callAgain(const std::shared_ptr<KeptResult>& result, int rankInTeam);
    bool makeWithOtherTeam(const Call& call, const std::exception_ptr& failure);
    static bool canBeMade(const KeptResult& result) noexcept { return result.recipe.request != nullptr; }
    void makeAgain(const std::shared_ptr<KeptResult>& result);
    void makeIfNeeded(const std::shared_ptr<KeptResult>& result);
    void noteMade(Call& call);
    void remember(Call& call);
    void noteNotMade(Call& call, const std::exception_ptr& failure);
    void wakeWaiting(KeptResult& result, const std::exception_ptr& failure);
    void goAway(const std::shared_ptr<KeptResult>& result, const std::exception_ptr& loss);
    void ask(const std::shared_ptr<KeptResult>& result);
    void serve(const std::shared_ptr<KeptResult>& result, int reader);
    static int giverOf(const KeptResult& result, int reader);
    std::exception_ptr lostResult(const KeptResult& result) const;
    std::shared_ptr<KeptResult> find(std::int32_t number) const;
    void takeWant(const Letter& letter);
    void takeAbsent(const Letter& letter);
    void takeBrought(const std::shared_ptr<const Letter>& letter);
    void removeReleased();
    static void destroy(std::shared_ptr<KeptResult> result) noexcept;

    Mailbox& mailbox_;
    const Actions actions_;
    const bool makesAgain_;    ///< false: no result is ever made again
    const std::shared_ptr<KeptPool> pool_;
    boost::unordered_flat_map<std::int32_t, std::shared_ptr<KeptResult>> results_;    ///< the results that slaves have or make
    std::deque<Due> due_;
    std::uint32_t& lastNumber_;    ///< MailboxHooks::numbers
};

}    // namespace ferry::detail
