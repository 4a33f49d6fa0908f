#pragma once

#include <cstddef>
#include <deque>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/message/pending/PendingWaits.hpp>

namespace ferry {

/// A pool with a limited number of operations under way. add() waits while the pool is full. Values wait in the pool, in the order in which
/// they came, until they are taken.
///
/// Ownership: owns the operations. Operations that are left at its end are cancelled (Pending). After the end of
/// the connector, calls that wait throw UsageError.
/// Threads: the one thread of its rank.
template <class T>
class PendingPool {
public:
    /// maxUnderWay: the largest number of operations under way. Errors: UsageError when it is 0.
    explicit PendingPool(std::size_t maxUnderWay) : maxUnderWay_(maxUnderWay) {
        if (maxUnderWay == 0) FERRY_THROW(UsageError("a PendingPool needs room for 1 operation or more, found 0"));
    }

    /// Adds the operation. In a full pool the call waits until one of the operations is finished. An exception of
    /// that operation's get() leaves the call. The new operation is in the pool all the same. Errors: UsageError when the operation is not
    /// under way.
    void add(Pending<T> operation, Deadline deadline = Deadline::never()) {
        if (!operation.isUnderWay()) FERRY_THROW(UsageError("an operation that is not under way cannot be added to a pool"));
        underWay_.push_back(std::move(operation));
        if (underWay_.size() > maxUnderWay_) finishOne(deadline);
    }

    /// The number of operations that have not given their value yet.
    std::size_t underWay() const noexcept { return underWay_.size(); }

    /// Waits for the next value and takes it out. Errors: UsageError when nothing is in the pool.
    T next(Deadline deadline = Deadline::never()) requires(!std::is_void_v<T>) {
        if (values_.empty()) finishOne(deadline);
        T value = std::move(values_.front());
        values_.pop_front();
        return value;
    }

    /// Waits for all operations of the pool, and takes their values out, in the order in which they came.
    auto waitAll(Deadline deadline = Deadline::never()) {
        if (detail::Mailbox* mailbox = detail::PendingWaits::mailboxOf(underWay_); mailbox != nullptr) {
            const detail::DeadlineScope scope(*mailbox, deadline);
            finishAll();
        } else {
            finishAll();
        }
        if constexpr (!std::is_void_v<T>) {
            std::vector<T> all(std::make_move_iterator(values_.begin()), std::make_move_iterator(values_.end()));
            values_.clear();
            return all;
        }
    }

private:
    void finishAll() {
        while (!underWay_.empty()) finishOne(Deadline::never());
    }
    void finishOne(Deadline deadline) {
        const auto index = static_cast<std::ptrdiff_t>(waitAny(underWay_, deadline));
        Pending<T> finished = std::move(underWay_[static_cast<std::size_t>(index)]);
        underWay_.erase(underWay_.begin() + index);
        if constexpr (std::is_void_v<T>) {
            finished.get();
        } else {
            values_.push_back(finished.get());
        }
    }

    struct Nothing {};
    using Values = std::conditional_t<std::is_void_v<T>, Nothing, std::deque<std::conditional_t<std::is_void_v<T>, Nothing, T>>>;

    std::size_t maxUnderWay_;
    std::vector<Pending<T>> underWay_;
    Values values_;
};

}    // namespace ferry
