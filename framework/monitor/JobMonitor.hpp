#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/monitor/JobStatistics.hpp>
#include <ferry/framework/monitor/MonitorSettings.hpp>
#include <ferry/framework/monitor/Progress.hpp>
#include <ferry/framework/monitor/Trace.hpp>
#include <ferry/serialization/file/TextOutput.hpp>

namespace ferry::detail {

/// Watches a job for its user. Counts events, shows the progress on standard error, and writes statistics and a trace at the end.
///
/// Threads: the master's. Errors: none; a file that cannot be written is logged.
class JobMonitor {
public:
    using TimePoint = JobStatistics::TimePoint;

    JobMonitor(MonitorSettings settings, int slaveCount, TimePoint begin);
    JobMonitor(const JobMonitor&) = delete;
    JobMonitor& operator=(const JobMonitor&) = delete;

    /// The statistics, which the dispatcher updates.
    JobStatistics& statistics() noexcept { return statistics_; }

    /// The master's part of the trace.
    TraceBuffer& trace() noexcept { return trace_; }

    /// Notes that the master has given these tasks to a slave, in a letter of `ints` ints.
    void sent(int slave, std::span<const std::int32_t> calls, std::size_t ints, TimePoint now);
    /// Notes that the master has got a slave's answer to this task.
    void answered(int slave, std::int32_t call, JobStatistics::Duration taken, bool isFailure, TimePoint now);

    /// Gets the traces of the slaves, if a trace is wanted. To be called when the program has ended in order.
    void collectTrace(Connector& connector);
    /// Gets the trace of a slave that is about to leave.
    void collectTraceOf(Connector& connector, int slaveRank) { collectTraces(connector, {slaveRank}); }

    /// Shows the progress if that is due.
    void show(TimePoint now);
    /// The time at which show() has work to do.
    TimePoint nextShow() const noexcept { return progress_.next(); }

    /// Writes the statistics and the trace. To be called when the job is over, in whatever way it ended.
    void end(TimePoint now) noexcept;

private:
    void collectTraces(Connector& connector, const std::vector<int>& slaveRanks);
    std::string traceText() const;

    MonitorSettings settings_;
    JobStatistics statistics_;
    Progress progress_;
    TraceBuffer trace_;
    std::vector<RankTrace> slaveTraces_;
    std::optional<TextOutput> statisticsFile_;
    std::optional<TextOutput> traceFile_;
};

}    // namespace ferry::detail
