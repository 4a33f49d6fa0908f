#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/framework/schedule/ByKind.hpp>
#include <ferry/framework/schedule/DurationEstimate.hpp>
#include <ferry/framework/schedule/HeldCalls.hpp>
#include <ferry/framework/schedule/SlaveRanking.hpp>
#include <ferry/framework/schedule/TaskQueue.hpp>

namespace ferry::detail {

/// Limits for the work that a slave gets at once and in advance.
struct ScheduleSettings {
    /// Short tasks travel together: as many as are expected to take this time.
    std::chrono::nanoseconds batchTime = std::chrono::milliseconds(1);
    std::size_t maxBatchCount = 1000;
    std::size_t maxBatchInts = 16 * 1024;
    /// A working slave gets its next task before it has finished, unless that task is expected to take longer than this.
    std::chrono::nanoseconds longestAhead = std::chrono::milliseconds(50);
    /// A slave that is silent for this time may have to give back calls that it has not begun, however little work they are.
    std::chrono::nanoseconds patience = std::chrono::milliseconds(2);
};

/// Decides which slave gets which calls next, and which calls a slow slave has to give back. Pure logic: moves no bytes.
///
/// A slave holds calls for the time of one to two batches, as measured by earlier calls of the same kind. A call of an unmeasured kind, or
/// a long call, goes to a slave that has no other calls.
/// When no call waits and a slave is idle, another slave is asked for calls that it has not begun.
/// A slave may be the sub-master of a group of n slaves. It gets as many calls as n slaves, and is idle when one slave of the group is
/// idle.
/// The times that the caller passes never go back. The cost per call grows with the logarithm of the number of slaves. Only the first
/// measured call of a kind costs more.
/// Errors: UsageError for a slave that does not exist, and for a call that the slave does not hold. A std::bad_alloc changes nothing,
/// except in lose() and addSlaves().
class Schedule {
public:
    using TimePoint = Transport::Clock::time_point;
    using Duration = std::chrono::nanoseconds;

    /// Calls for a slave, in the order of `calls`.
    struct Assignment {
        int slave = 0;
        std::vector<std::int32_t> calls;
    };

    enum class Supply {
        MoreComing,    ///< more calls may follow at once: a working slave waits until a batch is full
        Complete,
    };

    /// Slaves are numbered from 0.
    explicit Schedule(int slaveCount, const ScheduleSettings& settings = {});

    /// Sets the duration of a batch from now on. If it is longer than ScheduleSettings::batchTime, idle slaves also wait for full batches
    /// while more calls are coming.
    void setBatchTime(Duration time) noexcept { batchTime_ = time; }
    Duration batchTime() const noexcept { return batchTime_; }
    Duration usualBatchTime() const noexcept { return settings_.batchTime; }
    bool isAnyIdle() {
        rankChanged();
        return idle_.first().has_value();
    }

    void add(std::int32_t call, const CallFacts& facts = {}) { queue_.add({call, facts}); }

    /// Makes the slave a sub-master: it hands its calls to the slaveCount slaves that follow it. Those slaves get no calls here.
    void group(int subMaster, int slaveCount);
    bool isSubMaster(int slave) const { return slaveAt(slave).isSubMaster; }
    /// The number of such tasks that one call for a sub-master may stand for; 1: the tasks travel as calls of their own.
    std::size_t bundleSize(const CallFacts& facts) const;
    /// Notes that the group of the sub-master has one slave less.
    void shrinkGroup(int subMaster) { setWidth(slaveAt(subMaster), slaveAt(subMaster).width - 1); }
    /// Gives a slave of a group, whose sub-master is lost, its own calls from now on.
    void ungroup(int slave) { setWidth(slaveAt(slave), 1); }

    /// Takes back a call that no slave has. False: a slave has the call already.
    bool cancel(std::int32_t call) { return queue_.remove(call); }

    /// The next slave that has room, with its calls. Empty: no call waits, or no slave has room.
    std::optional<Assignment> next(Supply supply, TimePoint now);

    /// Notes that the slave has finished one of its calls. taken: empty for a cancelled call, which is not measured.
    void finished(int slave, std::int32_t call, std::optional<Duration> taken, TimePoint now);

    /// Notes that a task of a call that stands for several is finished. The call stays with the slave, also without tasks.
    void finishedTask(int slave, std::int32_t call, Duration taken, TimePoint now);
    /// Makes a task of a call that stands for several a call of its own. The slave has both.
    void splitOff(int slave, std::int32_t call, std::int32_t task, const CallFacts& facts);

    /// The calls that a slave is asked to give back if it has not begun them. The slave is asked again only after its answer.
    std::optional<Assignment> recall(TimePoint now);
    /// The earliest time at which recall() may return a slave, if no other event comes.
    TimePoint nextRecall();
    /// Notes that the slave has given back a call, which waits again. Several calls are given back in reverse order. isSuspect: a slave of
    /// its group may have been lost because of the call.
    void givenBack(int slave, std::int32_t call, TimePoint now, bool isSuspect = false);
    /// Notes that the slave has given back a call that does not wait again.
    void takenAway(int slave, std::int32_t call) { static_cast<void>(takeFrom(slaveAt(slave), call)); }
    /// Notes that the slave has answered a recall. It is asked again only after a while.
    void recallAnswered(int slave, TimePoint now);

    /// A call of a lost slave.
    struct Orphan {
        std::int32_t call = 0;
        bool mayHaveRun = false;    ///< the slave may have worked on the call: its last answers may be lost with it
    };
    /// Notes the loss of a slave. It gets no further calls, and its calls wait again, ahead of all others. All of them may have run. The
    /// calls of a sub-master have not run, as it runs no calls itself. Calls that may have run travel alone from now on, so that a call
    /// that kills its slaves is noticed.
    std::vector<Orphan> lose(int slave);

    /// Adds `count` slaves; their numbers follow those of the present slaves.
    void addSlaves(int count);
    /// Lets an idle slave without a group go that may leave: the one with the highest number. It gets no further calls. Empty: no such
    /// slave is idle.
    std::optional<int> dismissIdle(const std::function<bool(int)>& mayLeave = [](int) { return true; });
    /// Whether the slave is neither lost nor dismissed.
    bool isThere(int slave) const { return !slaveAt(slave).isGone; }

    /// The calls that a slave has, in the order in which it got them.
    std::vector<std::int32_t> callsAt(int slave) const;

    std::size_t waitingCount() const noexcept { return queue_.count(); }
    /// The number of such calls, waiting and at slaves, that should be open so that no slave runs out of work.
    std::size_t wantedCount(const CallFacts& facts) const;
    int slaveCount() const noexcept { return static_cast<int>(slaves_.size()); }
    /// The number of slaves that do calls and are neither lost nor dismissed. A sub-master counts as its group.
    int liveCount() const noexcept { return liveCount_; }

private:
    struct SlaveLoad {
        HeldCalls held;
        Duration expected{0};    ///< for all held calls together
        int width = 1;           ///< number of slaves that do the calls; 0: this slave is in a group, or its group is empty
        bool isSubMaster = false;
        TimePoint lastHeard{};      ///< last letter of the slave, or last assignment to it when it was
                                    ///< idle
        TimePoint askAfter{};       ///< earliest time of the next recall
        bool isRecalled = false;    ///< the slave has not answered a recall yet
        bool isGone = false;        ///< lost or dismissed
        bool isUnranked = false;    ///< the slave has changed since it was ranked
        ByKind<DurationEstimate> estimates;
    };
    /// Ranks slaves by their work: the expected time, then the number of calls. The least work comes first.
    using LoadRanking = SlaveRanking<std::pair<Duration, std::size_t>>;
    /// Ranks idle slaves by the thousandths of their room that are in use.
    using IdleRanking = SlaveRanking<std::size_t>;
    struct Kind {
        explicit Kind(int slaveCount) : measured(slaveCount), unmeasured(slaveCount) {}
        DurationEstimate estimate{};    ///< over all slaves
        LoadRanking measured;           ///< working slaves that have room, and whose own measured time for the kind is short
        LoadRanking unmeasured;         ///< working slaves that have room, but have not measured the kind themselves
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
    bool isOpenTo(const CallFacts& facts, TimePoint now) const;
    std::optional<int> chooseWorking(const CallFacts& facts, TimePoint now);
    std::optional<int> firstInTime(LoadRanking& ranking, int avoided, TimePoint now);
    Assignment assign(SlaveLoad& slave, std::size_t maxCount);
    const HeldCalls::Held& heldAt(SlaveLoad& slave, std::int32_t call);
    [[noreturn]] void throwNotHeld(const SlaveLoad& slave, std::int32_t call) const;
    std::int32_t takeFrom(SlaveLoad& slave, std::int32_t call);
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
    ByKind<Kind> kinds_;                         ///< the kinds that have been measured
    IdleRanking idle_;                           ///< slaves, or groups, with an idle slave; the least used first
    SlaveRanking<Duration> recallable_;          ///< slaves that may be asked to give back; by negative work, so that the most work
                                                 ///< comes first
    SlaveRanking<TimePoint> recallableLater_;    ///< slaves that may be asked from this time on
    std::vector<int> unranked_;
    int liveCount_ = 0;
    int widestGroup_ = 0;    ///< the greatest number of slaves of a sub-master
};

}    // namespace ferry::detail
