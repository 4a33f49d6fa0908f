#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace ferry::detail {

/// A queue whose room can be reserved, so that add() needs no memory. Pure logic.
template <class T>
class ArrivalQueue {
public:
    bool isEmpty() const noexcept { return first_ == entries_.size(); }

    /// Makes room for `count` entries in all.
    void reserve(std::size_t count) {
        if (first_ > entries_.size() / 2) dropTaken();
        if (entries_.capacity() < first_ + count) entries_.reserve(2 * (first_ + count));
    }
    void add(const T& entry) { entries_.push_back(entry); }
    /// Takes out the oldest entry. The queue must not be empty.
    T take() {
        T entry = std::move(entries_[first_++]);
        if (isEmpty()) dropTaken();
        return entry;
    }

private:
    void dropTaken() noexcept {
        entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(first_));
        first_ = 0;
    }

    std::vector<T> entries_;
    std::size_t first_ = 0;    ///< the entries before this one are taken
};

}    // namespace ferry::detail
