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

namespace ferry {

/// The finished tasks of a job and their replies, in a file: what a run with the same file need not do again.
///
/// A reply that was added is in the file when write() returns, and so survives the death of the process; on the disk, and so safe from the
/// death of the machine, it is when the flush interval is over. Memory: a key and a place for each task of an earlier run that was not
/// asked for yet, and a number for each different task of this one.
/// Threads: the master's. Errors: those of JournalFile.
class Journal {
public:
    using TimePoint = Transport::Clock::time_point;

    struct Reply {
        ClassId replyClass = 0;
        IntBuffer ints;    ///< an empty envelope, and the reply
    };

    explicit Journal(const JournalSettings& settings, const ObjectFactory& factory = ObjectFactory::global());
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    /// Writes and flushes. A failure is logged, unless write() has thrown it before.
    ~Journal();

    /// The key of a task that is submitted; each call counts as one.
    JournalKey keyOf(ClassId kind, std::span<const std::int32_t> task);

    /// The reply that an earlier run has got; once.
    std::optional<Reply> take(const JournalKey& key);

    /// A task of this run has got its reply.
    void add(const JournalKey& key, ClassId replyClass, std::span<const std::int32_t> reply);

    /// Writes what was added: before anybody sees these replies. Flushes when that is due.
    void write(TimePoint now);
    /// When write() has something to do, if nothing is added.
    TimePoint nextFlush() const noexcept { return nextFlush_; }

    /// How many tasks an earlier run has finished that nobody has asked for yet.
    std::size_t leftCount() { return file_.contents().places.size(); }

private:
    void addChunk(std::span<const IntBuffer::Segment> pieces, std::size_t intCount);
    void writeAdded();

    JournalFile file_;
    std::chrono::milliseconds flushInterval_;
    std::unordered_map<JournalKey, std::uint64_t, JournalKeyHash> counts_;    ///< of equal tasks, by the key of the first
    IntBuffer added_;                                                         ///< records that were not written
    std::uint64_t addedChunks_ = 0;
    bool hasFailed_ = false;      ///< a caller has been told that it cannot be written
    bool isUnflushed_ = false;    ///< not all that was written is on the disk
    TimePoint nextFlush_ = TimePoint::max();
};

}    // namespace ferry
