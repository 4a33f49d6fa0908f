#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_set>
#include <vector>

namespace ferry {

/// Decides which slave gets which call next. Pure logic: moves no bytes.
///
/// Calls are given out in the order in which they were added, to the slave with the fewest calls. Each slave holds up to a window of
/// calls, so that its next one is already there when it finishes one, and a slow slave holds nobody back.
/// Errors: UsageError for a slave that does not exist or has nothing to finish.
class Schedule {
public:
    struct Assignment {
        std::int32_t call;
        int slave;
    };

    static constexpr int defaultWindow = 2;

    /// Slaves are numbered from 0.
    explicit Schedule(int slaveCount, int windowPerSlave = defaultWindow);

    void add(std::int32_t call);

    /// Takes back a call that no slave has yet; false when it is too late.
    bool cancel(std::int32_t call);

    /// The next call that a slave has room for.
    std::optional<Assignment> next();

    /// The slave has finished one of its calls.
    void finished(int slave);

    std::size_t waitingCount() const noexcept { return waiting_.size(); }
    int slaveCount() const noexcept { return static_cast<int>(load_.size()); }

private:
    std::deque<std::int32_t> order_;    ///< may hold cancelled calls
    std::unordered_set<std::int32_t> waiting_;
    std::vector<int> load_;    ///< calls at each slave
    int windowPerSlave_;
};

}    // namespace ferry
