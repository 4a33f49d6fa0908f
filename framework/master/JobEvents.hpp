#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <ferry/connector/Connector.hpp>

namespace ferry::detail {

class JobMonitor;

/// Tells the monitor of a job what happens to its tasks and its slaves. Does nothing in a job without a monitor.
///
/// Slaves are named by their ranks. Threads: the master's.
/// Errors: without memory an event of a task is skipped; an event of a slave throws std::bad_alloc.
class JobEvents {
public:
    using TimePoint = Transport::Clock::time_point;

    /// monitor: null when the job has none. Connector and monitor must outlive the object.
    JobEvents(Connector& connector, JobMonitor* monitor);
    JobEvents(const JobEvents&) = delete;
    JobEvents& operator=(const JobEvents&) = delete;
    ~JobEvents();

    /// Notes that `count` tasks are going to be submitted. Negative: fewer tasks than announced before.
    void announced(std::ptrdiff_t count) noexcept;
    void added() noexcept;
    /// Notes that a letter of `ints` ints with these tasks goes to a slave.
    void sent(int rank, std::span<const std::int32_t> calls, std::size_t ints);
    /// Notes that a letter of `ints` ints has come from the rank.
    void received(int rank, std::size_t ints);
    /// Notes the answer of a slave, which has worked on the task for the time `taken`.
    void answered(int rank, std::int32_t call, std::chrono::nanoseconds taken, bool isFailure, TimePoint now);
    void givenBack(int rank);
    /// Notes that a task which has failed on the slave is tried again.
    void retried(int rank);
    void ended(bool isFailure) noexcept;
    /// Notes that the result of a task comes from the journal, and so that the task has ended.
    void endedByJournal() noexcept;

    /// Notes that the rank is the sub-master of slaveCount slaves.
    void grouped(int subMaster, int slaveCount);
    void joined(int count);
    /// Notes that a slave is about to leave, and gets its part of the trace.
    void leaving(int rank);
    /// Notes that a slave is lost, with `count` tasks.
    void lost(int rank, const std::string& reason, std::size_t count);
    /// Notes `count` further tasks that a lost slave of a group had.
    void orphaned(int rank, std::size_t count);

    /// Notes that the master has waited for letters.
    void waited(TimePoint begin, TimePoint end);

    /// Shows the progress of the job if that is due.
    void show(TimePoint now);
    /// The time at which show() has work to do; TimePoint::max(): never.
    TimePoint nextShow() const noexcept;

private:
    Connector& connector_;
    JobMonitor* monitor_;
};

}    // namespace ferry::detail
