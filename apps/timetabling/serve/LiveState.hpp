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

/// The progress of a search, for display while the search runs.
///
/// Threads: any. The master's thread writes, and a server's thread reads.
class LiveState {
public:
    /// 'name' is the name of the problem.
    explicit LiveState(std::string name) : name_(std::move(name)) {}

    /// Notes that a search begins, with the slaves of ranks 1 to slaveCount. What is known of an earlier search goes.
    void begin(int slaveCount);
    /// Notes that the search is over.
    void end();
    /// Notes that a slave has begun the task with this number: to build a timetable, or else to improve a child.
    void began(int slaveRank, std::int32_t task, bool isBuild);
    /// Notes the best timetable of the slave in this task so far. The slave works on.
    void cameTo(int slaveRank, std::int32_t task, const Individual& individual);
    /// Notes that the slave has returned a timetable. The slave may work on its next task already, since messages of different kinds
    /// may be noted in another order than they were sent.
    void answered(int slaveRank, std::int32_t task, std::int64_t moves, const Individual& individual);
    /// Notes the best timetable of the search.
    void found(const Individual& best);
    /// Notes the number of tasks that have been handed out and have not come back.
    void setTasksUnderWay(std::size_t count);

    /// Returns a JSON object: name, seconds, isOver, tasks, best (null: none yet), curve (points [seconds, conflicts, cost]), and slaves.
    /// Each slave has `work`: the kind "build" or "improve", its start time, and the best point so far.
    /// Each slave has `last`: the point of its last timetable. null stands for nothing.
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
        std::optional<Point> reached{};    ///< the best timetable of this task so far
    };
    struct SlaveState {
        std::int64_t timetables = 0;
        std::int64_t moves = 0;
        std::optional<Work> work{};
        std::optional<Point> last{};    ///< the last timetable that the slave has returned
    };

    double elapsedSeconds() const { return std::chrono::duration<double>(end_.value_or(Clock::now()) - begin_).count(); }
    Point pointOf(const Individual& individual) const { return {elapsedSeconds(), individual.conflicts, individual.cost}; }
    void thinOut();

    const std::string name_;
    mutable std::mutex mutex_;    ///< protects all members below
    Clock::time_point begin_ = Clock::now();
    std::optional<Clock::time_point> end_;    ///< nothing while the search runs
    std::optional<Point> best_;
    std::vector<Point> curve_;    ///< points of the best timetable
    std::map<int, SlaveState> slaves_;
    std::size_t tasksUnderWay_ = 0;
};

}    // namespace timetabling
