#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace ferry::detail {

/// The properties of a call that a schedule knows.
struct CallFacts {
    static constexpr int noSlave = -1;

    std::int32_t kind = 0;        ///< calls of one kind are expected to take equal time
    int priority = 0;             ///< higher first
    std::size_t ints = 0;         ///< size of the call in a letter, in ints
    int avoided = noSlave;        ///< slave on which the call has failed
    bool isSuspect = false;       ///< slaves may have been lost because of the call: it travels alone
    int preferred = noSlave;      ///< slave that has what the call reads
    bool isGivenBack = false;     ///< a slave that works has given the call back for an idle one
    std::size_t taskCount = 1;    ///< number of tasks that the call stands for
};

/// The calls that no slave has, ordered by priority (highest first) and then by addition. Pure logic.
class TaskQueue {
public:
    struct Entry {
        std::int32_t call = 0;
        CallFacts facts;
    };

    /// Adds an entry. Errors: std::bad_alloc; the queue is then unchanged.
    void add(const Entry& entry);
    /// Adds an entry ahead of all others of its priority: for a call that was given out and came back.
    void addFirst(const Entry& entry);
    /// Removes a call. False: the call is not here.
    bool remove(std::int32_t call);

    bool isEmpty() const noexcept { return count_ == 0; }
    std::size_t count() const noexcept { return count_; }
    /// The number of tasks that the calls stand for.
    std::size_t taskCount() const noexcept { return count_ + furtherTasks_; }

    /// The next call. The queue must not be empty.
    const Entry& first() {
        if (!removed_.empty()) dropRemoved();
        return byPriority_.begin()->second.front();
    }
    /// Takes out the next call. The queue must not be empty.
    void dropFirst();
    Entry takeFirst() {
        const Entry entry = first();
        dropFirst();
        return entry;
    }

private:
    enum class End { First, Last };
    void add(const Entry& entry, End end);
    std::deque<Entry>& entriesOf(int priority);
    void dropRemoved() noexcept;
    void dropFirstEntry() noexcept;
    void compact() noexcept;
    void makeIndex();
    void forget(std::int32_t call) noexcept;

    /// Entries may have been removed. One deque may be empty, if it is the only one: it keeps its memory for the next call.
    std::map<int, std::deque<Entry>, std::greater<>> byPriority_;
    std::size_t count_ = 0;
    bool hasIndex_ = false;
    boost::unordered_flat_set<std::int32_t> index_;      ///< the waiting calls, from the first remove() until the queue is empty
    boost::unordered_flat_set<std::int32_t> removed_;    ///< removed calls that are still in the deques. Empty when no call waits
    boost::unordered_flat_map<std::int32_t, std::size_t>
        bundles_;                     ///< the waiting calls of several tasks, with the number of their tasks
    std::size_t furtherTasks_ = 0;    ///< tasks beyond the first of each call
};

}    // namespace ferry::detail
