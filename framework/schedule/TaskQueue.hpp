#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

#include <boost/unordered/unordered_flat_set.hpp>

namespace ferry {

/// What a schedule knows of a call.
struct CallFacts {
    static constexpr int noSlave = -1;

    std::int32_t kind = 0;     ///< calls of one kind are expected to take the same time
    int priority = 0;          ///< higher first
    std::size_t ints = 0;      ///< what it takes in a letter
    int avoided = noSlave;     ///< the slave where it has failed
    bool isSuspect = false;    ///< it may have taken a slave with it: it travels alone
};

/// The calls that no slave has: those of a higher priority first, of one priority in the order of their addition. Pure logic.
class TaskQueue {
public:
    struct Entry {
        std::int32_t call = 0;
        CallFacts facts;
    };

    /// Adds an entry. Errors: std::bad_alloc; the queue is then unchanged.
    void add(const Entry& entry);
    /// Before all others of its priority: for one that was given out and came back.
    void addFirst(const Entry& entry);
    /// False when it is not here.
    bool remove(std::int32_t call);

    bool isEmpty() const noexcept { return waiting_.empty(); }
    std::size_t count() const noexcept { return waiting_.size(); }

    /// The next call; there must be one.
    const Entry& first();
    Entry takeFirst();

private:
    enum class End { First, Last };
    void add(const Entry& entry, End end);
    void makeRoomFor(std::int32_t call);
    void dropRemoved();
    void compact();

    std::map<int, std::deque<Entry>, std::greater<>> byPriority_;    ///< some may have been removed; no deque is empty
    boost::unordered_flat_set<std::int32_t> waiting_;
    boost::unordered_flat_set<std::int32_t> removed_;    ///< that are still in the deques
};

}    // namespace ferry
