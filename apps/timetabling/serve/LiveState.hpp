#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/search/Individual.hpp>

namespace timetabling {

/// How a search gets on, for others to look at while it runs.
///
/// Threads: any; the master's tells, a server's asks.
class LiveState {
public:
    /// 'name' is that of the problem.
    explicit LiveState(std::string name) : name_(std::move(name)) {}

    /// The search begins now, with the slaves of ranks 1 to slaveCount.
    void begin(int slaveCount);
    /// A slave has begun with the task of this number: to build a timetable, or else to improve a child.
    void began(int slaveRank, std::int32_t task, bool isBuild);
    /// It has come to this timetable in it, and works on.
    void cameTo(int slaveRank, std::int32_t task, const Individual& individual);
    /// It has brought a timetable. It may be at work on the next task already: of different messages the later may be told before.
    void answered(int slaveRank, std::int32_t task, std::int64_t moves, const Individual& individual);
    /// The search has this best one.
    void found(const Individual& best);
    /// So many tasks have been handed out and not come back.
    void setTasksUnderWay(std::size_t count);

    /// The best timetable, unless it is the one that has this number already, or there is none; the number is then replaced.
    std::optional<Individual> bestAfter(std::uint64_t& number) const;

    /// A JSON object: name, seconds, tasks, best (null: none yet), curve of [seconds, conflicts, cost], slaves (work: what it is at: kind
    /// "build" or "improve", since when, and what it has come to, as in the curve; last: what it brought last; null: nothing).
    std::string json() const;

private:
    using Clock = std::chrono::steady_clock;

    struct Point {
        double seconds = 0;
        std::int64_t conflicts = 0;
        std::int64_t cost = 0;
    };
    struct Work {
        std::int32_t task = 0;
        bool isBuild = false;
        double since = 0;
        std::optional<Point> reached{};    ///< the best timetable so far
    };
    struct SlaveState {
        std::int64_t timetables = 0;
        std::int64_t moves = 0;
        std::optional<Work> work{};
        std::optional<Point> last{};    ///< what it brought last
    };

    double elapsedSeconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Point pointOf(const Individual& individual) const { return {elapsedSeconds(), individual.conflicts, individual.cost}; }
    void thinOut();

    const std::string name_;
    mutable std::mutex mutex_;    ///< over all that follows
    Clock::time_point begin_ = Clock::now();
    std::optional<Individual> best_;
    std::uint64_t bestNumber_ = 0;
    std::vector<Point> curve_;    ///< of the best
    std::map<int, SlaveState> slaves_;
    std::size_t tasksUnderWay_ = 0;
};

}    // namespace timetabling
