#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/framework/slave/KeepSettings.hpp>
#include <ferry/framework/slave/KeptFiles.hpp>
#include <ferry/framework/slave/KeptValue.hpp>
#include <ferry/framework/slave/Ref.hpp>

namespace ferry::detail {

/// The results that stay with a slave: those that its handlers have made, and copies of others that its tasks have read. Beyond the limit
/// of memory, own results move to files, and copies are forgotten: the master has another slave send them again.
///
/// The master decides how long a result lives (TaskNotice::Drop). The store serves other slaves at once, in any wait of its own slave.
/// As a RefScope it notes the results that the task of this slave reads.
/// Threads: the slave's. Errors: those of the mailbox; FileError when a result that is in a file cannot be read for a task.
class KeptStore final : public RefScope {
public:
    /// The mailbox must outlive the store.
    KeptStore(Mailbox& mailbox, const KeepSettings& settings) : mailbox_(mailbox), limit_(settings.memoryBytes), files_(settings.folder) {}
    KeptStore(const KeptStore&) = delete;
    KeptStore& operator=(const KeptStore&) = delete;
    /// Logs how often a result could not be moved to a file.
    ~KeptStore();

    /// Keeps the result of a handler. Returns the number of its ints. Changes nothing when it throws.
    std::size_t keep(std::int32_t number, std::unique_ptr<Message> result);
    void drop(std::int32_t number) noexcept;

    /// Handles a notice of the master when it arrives. True: nothing remains to be done.
    bool takeAtOnce(const Letter& notice);
    /// Takes in a result of another slave.
    void arrive(Letter letter);
    /// Notes that no slave has the result.
    void miss(std::int32_t number) noexcept;

    // The results that the task of this slave reads.
    bool isAnyNoted() const noexcept { return !noted_.empty(); }
    /// Reads results from files, and asks for those that are not here.
    void fetch();
    /// Whether all results are here, or none of the others will come.
    bool isFetched() const;
    bool areAllHere() const;
    void endTask() noexcept;

    /// Whether results are under way.
    bool isAwaiting() const noexcept { return wantedCount_ > 0; }
    /// Whether letters with results may have come that nobody waits for.
    bool hasStrays() const noexcept { return hasStrays_; }
    void noteNoStrays() noexcept { hasStrays_ = false; }
    /// Whether a large result has been sent since the last call. It may need this rank's help to leave.
    bool takeServed() noexcept { return std::exchange(hasServed_, false); }

    std::size_t count() const noexcept { return entries_.size(); }
    std::size_t memoryBytes() const noexcept { return memoryBytes_; }
    std::size_t fileCount() const noexcept { return files_.count(); }

    /// The store of the slave that runs on this thread; null: no slave runs on it.
    static const KeptStore* ofThisThread() noexcept;
    static void setForThisThread(const KeptStore* store) noexcept;

private:
    struct Entry {
        std::shared_ptr<KeptValue> value;
        std::size_t bytes = 0;                        ///< memory that is counted for the entry
        bool isOwn = false;                           ///< a handler of this slave has made it
        bool isWanted = false;                        ///< an answer will come
        bool isInFile = false;                        ///< and not in memory
        std::list<std::int32_t>::iterator place{};    ///< in order_, while bytes > 0
    };

    using Entries = std::unordered_map<std::int32_t, Entry>;

    std::int32_t noteWritten(const std::shared_ptr<RefTarget>& target) override;
    std::shared_ptr<RefTarget> noteRead(std::int32_t number) override;
    bool give(std::int32_t number, const std::vector<std::int32_t>& readers);
    std::shared_ptr<const IntBuffer> intsOf(std::int32_t number);
    void recount(std::int32_t number, Entry& entry);
    void uncount(Entry& entry) noexcept;
    void makeRoom() noexcept;
    bool shrink(std::int32_t number, Entry& entry);
    void endWanted(Entry& entry) noexcept;
    void erase(Entries::iterator found) noexcept;

    Mailbox& mailbox_;
    const std::size_t limit_;
    KeptFiles files_;
    Entries entries_;
    std::list<std::int32_t> order_;    ///< the results in memory, the least used first
    std::size_t memoryBytes_ = 0;
    std::vector<std::int32_t> noted_;
    int wantedCount_ = 0;
    bool hasStrays_ = false;
    bool hasServed_ = false;
    std::size_t unmovedCount_ = 0;    ///< number of times that no result could be moved to a file
};

}    // namespace ferry::detail
