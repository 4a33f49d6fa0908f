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
    /// A slave has brought a timetable, and the search has this best one.
    void answered(int slaveRank, std::int64_t moves, const Individual& found, const Individual& best);
    /// So many tasks have been handed out and not come back.
    void setTasksUnderWay(std::size_t count);

    /// The best timetable, unless it is the one that has this number already, or there is none; the number is then replaced.
    std::optional<Individual> bestAfter(std::uint64_t& number) const;

    /// A JSON object: name, seconds, tasks, best (null: none yet), curve of [seconds, conflicts, cost], slaves
    /// (last: what it brought last, as in the curve; null: nothing yet).
    std::string json() const;

private:
    using Clock = std::chrono::steady_clock;

    struct Point {
        double seconds = 0;
        std::int64_t conflicts = 0;
        std::int64_t cost = 0;
    };
    struct SlaveWork {
        std::int64_t timetables = 0;
        std::int64_t moves = 0;
        std::optional<Point> last{};    ///< what it brought last
    };

    double elapsedSeconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }
    void thinOut();

    const std::string name_;
    mutable std::mutex mutex_;    ///< over all that follows
    Clock::time_point begin_ = Clock::now();
    std::optional<Individual> best_;
    std::uint64_t bestNumber_ = 0;
    std::vector<Point> curve_;    ///< of the best
    std::map<int, SlaveWork> slaves_;
    std::size_t tasksUnderWay_ = 0;
};

}    // namespace timetabling
