#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/framework/DurationEstimate.hpp>
#include <ferry/framework/SlaveRanking.hpp>
#include <ferry/framework/TaskQueue.hpp>

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
/// one is asked for what it has not begun. Times that it is told never go back. What a call costs grows with the logarithm of the number of
/// slaves, but for the first one of a kind that is measured. Errors: UsageError for a slave that does not exist, and a call that it does
/// not hold.
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
    /// The slave has given back one of its calls, which waits again; of several the last one first.
    void givenBack(int slave, std::int32_t call, TimePoint now);
    /// It has given back all that it would.
    void recallAnswered(int slave);

    /// A call that a lost slave had.
    struct Orphan {
        std::int32_t call = 0;
        bool mayHaveRun = false;    ///< the slave may have been at work on it, as far as its answers tell
    };
    /// The slave is lost: it gets nothing any more, and the calls that it had wait again, before all others. Those that may have run travel
    /// alone from now on, so that one that takes slaves with it shows.
    std::vector<Orphan> lose(int slave);

    /// So many slaves more; their numbers follow those of the others.
    void addSlaves(int count);
    /// Lets one go that has nothing: it gets nothing any more. The last of them; none when all have something.
    std::optional<int> dismissIdle();
    /// Neither lost nor dismissed.
    bool isThere(int slave) const { return !slaveAt(slave).isGone; }

    /// The calls that a slave has, in the order in which it was given them.
    std::vector<std::int32_t> callsAt(int slave) const;

    std::size_t waitingCount() const noexcept { return queue_.count(); }
    /// How many such calls should be there, waiting ones and those at slaves, so that no slave runs out of work.
    std::size_t wantedCount(const CallFacts& facts) const;
    int slaveCount() const noexcept { return static_cast<int>(slaves_.size()); }
    /// Those that are neither lost nor dismissed.
    int liveCount() const noexcept { return slaveCount() - goneCount_; }

private:
    struct Held {
        TaskQueue::Entry entry;
        Duration expected{0};
        std::uint64_t batch = 0;    ///< in which it was given
    };
    struct SlaveLoad {
        std::deque<Held> held;                                           ///< in the order in which it was given
        Duration expected{0};                                            ///< for all of them
        TimePoint lastHeard{};                                           ///< or given something when it had nothing
        bool isRecalled = false;                                         ///< has been asked, and has not answered
        bool isGone = false;                                             ///< lost, or dismissed
        bool isUnranked = false;                                         ///< has changed since it got its places in the rankings
        std::unordered_map<std::int32_t, DurationEstimate> estimates;    ///< by kind
    };
    /// Least work first: the time that is expected for it, and the number of calls.
    using LoadRanking = SlaveRanking<std::pair<Duration, std::size_t>>;
    struct Kind {
        explicit Kind(int slaveCount) : measured(slaveCount), unmeasured(slaveCount) {}
        DurationEstimate estimate{};    ///< of all slaves
        LoadRanking measured;           ///< slaves that work and, by what they took themselves, have room for one such call more
        LoadRanking unmeasured;         ///< slaves that work and have room, if what others took is not too long
    };

    const SlaveLoad& slaveAt(int slave) const;
    SlaveLoad& slaveAt(int slave);
    std::optional<Duration> expectedTime(const SlaveLoad& slave, std::int32_t kind) const;
    bool isLate(const SlaveLoad& slave, TimePoint now) const;
    bool isFull(const SlaveLoad& slave) const;
    std::size_t capacity(std::optional<Duration> expected, const CallFacts& facts) const;
    std::optional<int> chooseSlave(const CallFacts& facts, TimePoint now);
    std::optional<int> chooseWorking(const CallFacts& facts, TimePoint now);
    std::optional<int> firstInTime(LoadRanking& ranking, int avoided, TimePoint now);
    Assignment assign(SlaveLoad& slave, std::size_t maxCount);
    Held takeFrom(SlaveLoad& slave, std::int32_t call);
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
    SlaveRanking<std::monostate> idle_;               ///< have nothing
    SlaveRanking<Duration> recallable_;               ///< may be asked to give back; by their work, less than nothing so that most is first
    SlaveRanking<TimePoint> recallableLater_;         ///< the same, from this time on
    std::vector<int> unranked_;
    std::uint64_t batchCount_ = 0;
    int goneCount_ = 0;
};

}    // namespace ferry
