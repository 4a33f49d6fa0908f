#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/framework/journal/JournalFile.hpp>
#include <ferry/framework/journal/JournalSettings.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>

namespace ferry::detail {

/// The file of a job's finished tasks and their replies. A later run with the same file does not do these tasks again.
///
/// An added reply is in the file when write() returns, and so survives the death of the process. The reply is on the disk, and so survives
/// the death of the machine, after the flush interval.
/// Memory: a key and a place for each task of an earlier run, until this run takes the reply; a number for each different task of this run.
/// Threads: the master's. Errors: those of JournalFile.
class Journal {
public:
    using TimePoint = Transport::Clock::time_point;

    struct Reply {
        ClassId replyClass = 0;
        IntBuffer ints;    ///< an empty envelope, then the reply
    };

    explicit Journal(const JournalSettings& settings, const ObjectFactory& factory = ObjectFactory::global());
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    /// Writes and flushes what close() has not. A failure is logged, unless write() or close() has thrown it before.
    ~Journal();

    /// The key of a submitted task. Each call counts as one further task.
    JournalKey keyOf(ClassId kind, std::span<const std::int32_t> task);

    /// The reply that an earlier run has got for the task. Each reply is handed out once.
    std::optional<Reply> take(const JournalKey& key);

    /// Adds the reply to a task of this run.
    void add(const JournalKey& key, ClassId replyClass, std::span<const std::int32_t> reply);

    /// Writes the added replies; to be called before any caller sees them. Flushes when a flush is due.
    void write(TimePoint now);
    /// Writes and flushes at the end of a job. Throws nothing when write() has failed before, because that failure has been told.
    void close();
    /// The time at which write() has work to do if no reply is added.
    TimePoint nextFlush() const noexcept { return nextFlush_; }

    /// The number of tasks that an earlier run has finished and that were not taken yet.
    std::size_t leftCount() { return file_.contents().places.size(); }

private:
    void addChunk(std::span<const std::int32_t> first, std::span<const std::int32_t> second);
    void finish();
    void writeAdded();

    JournalFile file_;
    std::chrono::milliseconds flushInterval_;
    std::unordered_map<JournalKey, std::uint64_t, JournalKeyHash> counts_;    ///< number of equal tasks, by the key of the first
    IntBuffer added_;                                                         ///< records that are not written yet
    std::uint64_t addedChunks_ = 0;
    bool hasFailed_ = false;      ///< a caller has got the error that the journal cannot be written
    bool isUnflushed_ = false;    ///< some written records are not on the disk yet
    TimePoint nextFlush_ = TimePoint::max();
};

}    // namespace ferry::detail
