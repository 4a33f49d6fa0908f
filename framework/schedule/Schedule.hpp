#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/framework/schedule/DurationEstimate.hpp>
#include <ferry/framework/schedule/HeldCalls.hpp>
#include <ferry/framework/schedule/SlaveRanking.hpp>
#include <ferry/framework/schedule/TaskQueue.hpp>

namespace ferry {

/// How much a slave is given at once, and before it asks.
struct ScheduleSettings {
    /// Tasks that are shorter travel together, as many as are expected to take so long.
    std::chrono::nanoseconds batchTime = std::chrono::milliseconds(1);
    std::size_t maxBatchCount = 1000;
    std::size_t maxBatchInts = 16 * 1024;
    /// A slave that works gets its next task before it is done, unless it is expected to take longer.
    std::chrono::nanoseconds longestAhead = std::chrono::milliseconds(50);
    /// When nothing has been heard of a slave for so long, what it has not begun may be taken back however little work it is.
    std::chrono::nanoseconds patience = std::chrono::milliseconds(2);
};

/// Decides which slave gets which calls next, and which are taken back from a slave that is behind. Pure logic: moves no bytes.
///
/// A slave holds what it is expected to do in the time of one to two batches, measured by what calls of the same kind took; a call of a
/// kind that was never measured, or is long, it gets when it has nothing else. When nothing waits and a slave has nothing to do, another
/// one is asked for what it has not begun. A slave may be the sub-master of a group: it is given as much as so many slaves, and has
/// nothing to do when one of them has. Times that it is told never go back. What a call costs grows with the logarithm of the number of
/// slaves, but for the first one of a kind that is measured. Errors: UsageError for a slave that does not exist, and a call that it does
/// not hold. A std::bad_alloc changes nothing, except in lose() and addSlaves().
class Schedule {
public:
    using TimePoint = Transport::Clock::time_point;
    using Duration = std::chrono::nanoseconds;

    /// Calls for a slave, in this order.
    struct Assignment {
        int slave = 0;
        std::vector<std::int32_t> calls;
    };

    enum class Supply {
        MoreComing,    ///< more calls may be added at once: a slave that works waits until a batch is full
        Complete,
    };

    /// Slaves are numbered from 0.
    explicit Schedule(int slaveCount, const ScheduleSettings& settings = {});

    /// Of how long a batch is to be from now on. When that is longer than what the settings say, slaves that have nothing wait for full
    /// ones, too, while more calls are coming.
    void setBatchTime(Duration time) noexcept { batchTime_ = time; }
    Duration batchTime() const noexcept { return batchTime_; }
    Duration usualBatchTime() const noexcept { return settings_.batchTime; }
    bool isAnyIdle() {
        rankChanged();
        return idle_.first().has_value();
    }

    void add(std::int32_t call, const CallFacts& facts = {}) { queue_.add({call, facts}); }

    /// The slave is a sub-master: it hands its calls to so many others, which follow it and are given none.
    void group(int subMaster, int slaveCount);
    /// It has one slave less.
    void shrinkGroup(int subMaster) { setWidth(slaveAt(subMaster), slaveAt(subMaster).width - 1); }
    /// A slave of a group, whose sub-master is lost, does calls of its own from now on.
    void ungroup(int slave) { setWidth(slaveAt(slave), 1); }

    /// Takes back a call that no slave has; false when it is too late.
    bool cancel(std::int32_t call) { return queue_.remove(call); }

    /// The next calls that a slave has room for.
    std::optional<Assignment> next(Supply supply, TimePoint now);

    /// The slave has finished one of its calls. Nothing is measured of one that was cancelled.
    void finished(int slave, std::int32_t call, std::optional<Duration> taken, TimePoint now);

    /// Calls that a slave is to give back, if it has not begun them. It is asked for no others before it has answered.
    std::optional<Assignment> recall(TimePoint now);
    /// When recall() may say something other than now, if nothing else happens.
    TimePoint nextRecall();
    /// The slave has given back one of its calls, which waits again; of several the last one first. isSuspect: it may have taken a slave of
    /// its group with it.
    void givenBack(int slave, std::int32_t call, TimePoint now, bool isSuspect = false);
    /// The same for one that does not wait here again.
    void takenAway(int slave, std::int32_t call) { static_cast<void>(takeFrom(slaveAt(slave), call)); }
    /// It has given back all that it would; the next time it is asked after a while.
    void recallAnswered(int slave, TimePoint now);

    /// A call that a lost slave had.
    struct Orphan {
        std::int32_t call = 0;
        bool mayHaveRun = false;    ///< the slave may have worked on it: its last answers may be lost with it
    };
    /// Notes the loss of a slave: it gets nothing any more, and its calls wait again, before all others. All of them may have run; of a
    /// sub-master none has, as it runs none itself. They travel alone from now on, so that a call that kills its slaves is noticed.
    std::vector<Orphan> lose(int slave);

    /// So many slaves more; their numbers follow those of the others.
    void addSlaves(int count);
    /// Lets one go that has nothing, and no group: it gets nothing any more. The last of them; none when all have something.
    std::optional<int> dismissIdle();
    /// Neither lost nor dismissed.
    bool isThere(int slave) const { return !slaveAt(slave).isGone; }

    /// The calls that a slave has, in the order in which it was given them.
    std::vector<std::int32_t> callsAt(int slave) const;

    std::size_t waitingCount() const noexcept { return queue_.count(); }
    /// How many such calls should be there, waiting ones and those at slaves, so that no slave runs out of work.
    std::size_t wantedCount(const CallFacts& facts) const;
    int slaveCount() const noexcept { return static_cast<int>(slaves_.size()); }
    /// Those that do calls, and are neither lost nor dismissed; of a sub-master its group.
    int liveCount() const noexcept { return liveCount_; }

private:
    struct SlaveLoad {
        HeldCalls held;
        Duration expected{0};    ///< for all of them
        int width = 1;           ///< how many do them; 0: it is in a group, or has none
        bool isSubMaster = false;
        TimePoint lastHeard{};                                           ///< or given something when it had nothing
        TimePoint askAfter{};                                            ///< for calls that it has not begun
        bool isRecalled = false;                                         ///< has been asked, and has not answered
        bool isGone = false;                                             ///< lost, or dismissed
        bool isUnranked = false;                                         ///< has changed since it got its places in the rankings
        std::unordered_map<std::int32_t, DurationEstimate> estimates;    ///< by kind
    };
    /// Least work first: the time that is expected for it, and the number of calls.
    using LoadRanking = SlaveRanking<std::pair<Duration, std::size_t>>;
    /// In thousandths of what it has room for.
    using IdleRanking = SlaveRanking<std::size_t>;
    struct Kind {
        explicit Kind(int slaveCount) : measured(slaveCount), unmeasured(slaveCount) {}
        DurationEstimate estimate{};    ///< of all slaves
        LoadRanking measured;           ///< slaves that work and, by what they took themselves, have room for one such call more
        LoadRanking unmeasured;         ///< slaves that work and have room, if what others took is not too long
    };

    const SlaveLoad& slaveAt(int slave) const;
    SlaveLoad& slaveAt(int slave);
    std::optional<Duration> expectedTime(const SlaveLoad& slave, std::int32_t kind) const;
    static std::size_t widthOf(const SlaveLoad& slave) noexcept { return static_cast<std::size_t>(slave.width); }
    static Duration notBegunTime(const SlaveLoad& slave);
    bool isLate(const SlaveLoad& slave, TimePoint now) const;
    bool isFull(const SlaveLoad& slave) const;
    std::size_t capacity(std::optional<Duration> expected, const CallFacts& facts, int width) const;
    std::optional<int> chooseSlave(const CallFacts& facts, TimePoint now);
    std::optional<int> chooseWorking(const CallFacts& facts, TimePoint now);
    std::optional<int> firstInTime(LoadRanking& ranking, int avoided, TimePoint now);
    Assignment assign(SlaveLoad& slave, std::size_t maxCount);
    const HeldCalls::Held& heldAt(SlaveLoad& slave, std::int32_t call);
    HeldCalls::Held takeFrom(SlaveLoad& slave, std::int32_t call);
    static bool isNoted(Assignment& batch, SlaveLoad& slave, const HeldCalls::Held& held);
    void setWidth(SlaveLoad& slave, int width);
    void leave(SlaveLoad& slave);
    void measure(std::int32_t kind, SlaveLoad& slave, Duration taken);
    void noteChanged(SlaveLoad& slave);
    void rankChanged();
    void rank(int slave);
    void rankForRoom(int slave);
    void rankForRecall(int slave);

    ScheduleSettings settings_;
    Duration batchTime_ = settings_.batchTime;
    TaskQueue queue_;
    std::vector<SlaveLoad> slaves_;
    std::unordered_map<std::int32_t, Kind> kinds_;    ///< that have been measured
    IdleRanking idle_;                                ///< have nothing, or a slave of their group has not; the least first
    SlaveRanking<Duration> recallable_;               ///< may be asked to give back; by their work, less than nothing so that most is first
    SlaveRanking<TimePoint> recallableLater_;         ///< the same, from this time on
    std::vector<int> unranked_;
    int liveCount_ = 0;
};

}    // namespace ferry
