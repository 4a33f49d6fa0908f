#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The events of a job so far, as its master sees them. Pure logic: the caller reports each event and its time.
///
/// Slaves are numbered from 0. Threads: the master's.
class JobStatistics {
public:
    using TimePoint = Transport::Clock::time_point;
    using Duration = std::chrono::nanoseconds;

    struct OfSlave {
        std::size_t taskCount = 0;          ///< tasks that the slave has answered, failed ones included
        std::size_t failureCount = 0;       ///< failed tasks among them; each try counts
        std::size_t retryCount = 0;         ///< tries on this slave that were followed by a further try
        Duration busy{0};                   ///< time in handlers
        std::uint64_t bytesSent = 0;        ///< bytes sent to the slave
        std::uint64_t bytesReceived = 0;    ///< bytes received from the slave
        TimePoint lastHeard{};              ///< last answer of the slave, or last sending to it when it was idle
        std::size_t openCount = 0;          ///< tasks that the slave has now
        std::string lossReason{};           ///< in words; empty: the slave is not lost
        std::size_t orphanCount = 0;        ///< tasks that the slave had when it was lost
        int groupSize = 0;                  ///< for a sub-master: number of slaves of its group; 0: no sub-master
        TimePoint joinedAt{};
        std::optional<TimePoint> lostAt{};         ///< empty: the slave is not lost
        std::optional<TimePoint> dismissedAt{};    ///< empty: the slave was not dismissed
    };

    JobStatistics(int slaveCount, TimePoint begin) : begin_(begin) { joined(slaveCount, begin); }

    /// Notes that `count` slaves have joined.
    void joined(int count, TimePoint now);
    /// Notes that the slave is the sub-master of slaveCount other slaves.
    void grouped(int subMaster, int slaveCount) { slaveAt(subMaster).groupSize = slaveCount; }
    /// Notes `count` further tasks that a lost slave of a group had.
    void orphaned(int slave, std::size_t count) { slaveAt(slave).orphanCount += count; }
    /// Notes that an idle slave has left.
    void dismissed(int slave, TimePoint now) { slaveAt(slave).dismissedAt = now; }

    /// Notes that a task was submitted.
    void added() noexcept { ++totalCount_; }
    /// Notes that `count` tasks will be submitted. Negative: fewer than announced, since they were submitted or will not come.
    void announced(std::ptrdiff_t count) noexcept { announcedCount_ += count; }
    void sent(int slave, std::size_t taskCount, std::size_t ints, TimePoint now);
    void received(int slave, std::size_t ints);
    /// Notes the answer of a slave. For a task that took longer than a reply can state, the time since the slave's last answer counts.
    void answered(int slave, Duration taken, bool isFailure, TimePoint now);
    /// Notes that a slave has given back a task that it had not begun.
    void givenBack(int slave);
    /// Notes that a slave is lost, with orphanCount tasks that go to others.
    void lost(int slave, const std::string& reason, std::size_t orphanCount, TimePoint now);
    void retried(int slave) { ++slaveAt(slave).retryCount; }
    /// Notes that a task is over: its result has arrived.
    void ended(bool isFailure) noexcept {
        ++endedCount_;
        failedCount_ += isFailure ? 1 : 0;
    }
    /// Notes that the result of the last ended task comes from the journal.
    void foundInJournal() noexcept { ++journalCount_; }

    /// The numbers of known tasks, ended tasks, failed tasks, and tasks that an earlier run has done.
    std::size_t totalCount() const noexcept { return totalCount_ + static_cast<std::size_t>(announcedCount_ > 0 ? announcedCount_ : 0); }
    std::size_t endedCount() const noexcept { return endedCount_; }
    std::size_t failedCount() const noexcept { return failedCount_; }
    const std::vector<OfSlave>& slaves() const noexcept { return slaves_; }
    TimePoint begin() const noexcept { return begin_; }

    /// The number of tasks of this run that end per second.
    double rate(TimePoint now) const noexcept;

    /// The statistics as text: one line, then a table with a row for each slave.
    std::string table(TimePoint now) const;
    /// The statistics as a JSON object; docs/guide.md lists the names.
    std::string json(TimePoint now) const;

private:
    OfSlave& slaveAt(int slave) { return slaves_.at(static_cast<std::size_t>(slave)); }
    std::string changes() const;
    double busyShare(const OfSlave& slave, TimePoint now) const noexcept;

    std::vector<OfSlave> slaves_;
    TimePoint begin_;
    std::size_t totalCount_ = 0;
    std::ptrdiff_t announcedCount_ = 0;
    std::size_t endedCount_ = 0;
    std::size_t failedCount_ = 0;
    std::size_t journalCount_ = 0;
};

}    // namespace ferry::detail
