#pragma once

#include <ferry/framework/JobStatistics.hpp>
#include <ferry/framework/MonitorSettings.hpp>
#include <ferry/framework/Progress.hpp>

namespace ferry {

/// Watches a job for its user: counts, shows the progress on standard error, and writes statistics at the end.
///
/// Threads: the master's. Errors: none; what cannot be written is logged.
class JobMonitor {
public:
    using TimePoint = JobStatistics::TimePoint;

    JobMonitor(MonitorSettings settings, int slaveCount, TimePoint begin);
    JobMonitor(const JobMonitor&) = delete;
    JobMonitor& operator=(const JobMonitor&) = delete;

    /// What has happened is told to it.
    JobStatistics& statistics() noexcept { return statistics_; }

    /// Shows the progress if that is due.
    void show(TimePoint now);
    /// When show() has something to do.
    TimePoint nextShow() const noexcept { return progress_.next(); }

    /// The job is over, whichever way.
    void end(TimePoint now) noexcept;

private:
    MonitorSettings settings_;
    JobStatistics statistics_;
    Progress progress_;
};

}    // namespace ferry
