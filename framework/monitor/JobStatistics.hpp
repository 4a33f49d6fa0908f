#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// What a job has done so far, as its master sees it. Pure logic: told what happens, and when.
///
/// Slaves are numbered from 0. Threads: the master's.
class JobStatistics {
public:
    using TimePoint = Transport::Clock::time_point;
    using Duration = std::chrono::nanoseconds;

    struct OfSlave {
        std::size_t taskCount = 0;          ///< that it has answered, those that failed included
        std::size_t failureCount = 0;       ///< of these; each try counts
        std::size_t retryCount = 0;         ///< tries of its that were followed by another
        Duration busy{0};                   ///< in handlers
        std::uint64_t bytesSent = 0;        ///< to it
        std::uint64_t bytesReceived = 0;    ///< from it
        TimePoint lastHeard{};              ///< or given something when it had nothing
        std::size_t openCount = 0;          ///< tasks that it has
        std::string lossReason{};           ///< in words; empty: it is not lost
        std::size_t orphanCount = 0;        ///< tasks that it had when it was lost
        int groupSize = 0;                  ///< of a sub-master: to how many it hands its tasks; 0: it is none
        TimePoint joinedAt{};
        std::optional<TimePoint> lostAt{};         ///< none: it is not
        std::optional<TimePoint> dismissedAt{};    ///< none: it was not
    };

    JobStatistics(int slaveCount, TimePoint begin) : begin_(begin) { joined(slaveCount, begin); }

    /// So many slaves more are there.
    void joined(int count, TimePoint now);
    /// The slave is a sub-master, to so many others.
    void grouped(int subMaster, int slaveCount) { slaveAt(subMaster).groupSize = slaveCount; }
    /// A slave of a group that is lost had these, too.
    void orphaned(int slave, std::size_t count) { slaveAt(slave).orphanCount += count; }
    /// A slave has left that had nothing to do.
    void dismissed(int slave, TimePoint now) { slaveAt(slave).dismissedAt = now; }

    /// A task is there.
    void added() noexcept { ++totalCount_; }
    /// So many tasks will be there; negative: fewer than was said, as they are there now or will not come.
    void announced(std::ptrdiff_t count) noexcept { announcedCount_ += count; }
    void sent(int slave, std::size_t taskCount, std::size_t ints, TimePoint now);
    void received(int slave, std::size_t ints);
    /// A slave has answered. Of a task that took longer than replies can say, the time since it was heard of before counts.
    void answered(int slave, Duration taken, bool isFailure, TimePoint now);
    /// A slave has given back a task that it had not begun.
    void givenBack(int slave);
    /// A slave is lost, with so many tasks that go to others.
    void lost(int slave, const std::string& reason, std::size_t orphanCount, TimePoint now);
    void retried(int slave) { ++slaveAt(slave).retryCount; }
    /// A task is over: its result is there.
    void ended(bool isFailure) noexcept {
        ++endedCount_;
        failedCount_ += isFailure ? 1 : 0;
    }
    /// And that from the journal.
    void foundInJournal() noexcept { ++journalCount_; }

    /// Tasks known of, and of these the ones that are over, that failed, and that an earlier run has done.
    std::size_t totalCount() const noexcept { return totalCount_ + static_cast<std::size_t>(announcedCount_ > 0 ? announcedCount_ : 0); }
    std::size_t endedCount() const noexcept { return endedCount_; }
    std::size_t failedCount() const noexcept { return failedCount_; }
    std::size_t journalCount() const noexcept { return journalCount_; }
    const std::vector<OfSlave>& slaves() const noexcept { return slaves_; }
    TimePoint begin() const noexcept { return begin_; }

    /// Tasks of this run that end in a second.
    double rate(TimePoint now) const noexcept;

    /// A line, and a table with a row for each slave.
    std::string table(TimePoint now) const;
    /// An object; docs/guide.md lists the names.
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

}    // namespace ferry
