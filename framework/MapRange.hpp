#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/Future.hpp>
#include <ferry/framework/TaskTraits.hpp>

namespace ferry {

/// In which order Master::map hands out the replies.
enum class MapOrder {
    Submission,    ///< that of the tasks
    Completion,    ///< as they come
};

/// The replies to a range of tasks, for one pass: `for (const Answer& answer : master.map(tasks))`.
///
/// Tasks are taken from the range as replies are used, so that only a window of them is under way. A task that failed, or could not be
/// written, throws its exception from the loop, in its turn and once; the next loop over the same object (or the next ++ of the iterator)
/// goes on with the reply after it. What no slave has when the object is destroyed is taken back.
/// Ownership: keeps a range that was moved in, borrows one that was passed by name.
template <class Range>
class MapRange {
public:
    using Request = std::remove_cvref_t<decltype(*std::begin(std::declval<Range&>()))>;
    using Reply = ReplyOf<Request>;

    MapRange(Dispatcher& dispatcher, Connector& connector, Range&& tasks, MapOrder order)
        : dispatcher_(dispatcher),
          connector_(connector),
          tasks_(std::forward<Range>(tasks)),
          order_(order),
          next_(std::begin(tasks_)) {}
    MapRange(const MapRange&) = delete;
    MapRange& operator=(const MapRange&) = delete;
    ~MapRange() {    // taking back is local: nothing is sent
        for (Future<Reply>& future : underWay_) {
            if (future.isValid()) future.cancel();
        }
    }

    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Reply;
        using difference_type = std::ptrdiff_t;
        using pointer = Reply*;
        using reference = Reply&;

        Iterator() = default;
        explicit Iterator(MapRange* range) : range_(range) { ++*this; }

        Reply& operator*() const { return *range_->current_; }
        Reply* operator->() const { return &*range_->current_; }
        Iterator& operator++() {
            if (!range_->advance()) range_ = nullptr;
            return *this;
        }
        void operator++(int) { ++*this; }
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.range_ == b.range_; }

    private:
        MapRange* range_ = nullptr;
    };

    Iterator begin() { return Iterator(this); }
    Iterator end() { return Iterator(); }

private:
    /// Moves to the next reply; false when there is none left.
    bool advance() {
        fill();
        if (underWay_.empty()) return false;
        const auto hasArrived = [](const Future<Reply>& future) { return future.hasArrived(); };
        const auto last = order_ == MapOrder::Completion ? underWay_.end() : std::next(underWay_.begin());    // of those that may be next
        auto chosen = last;
        dispatcher_.waitUntil([&] { return (chosen = std::find_if(underWay_.begin(), last, hasArrived)) != last; });
        Future<Reply> future = std::move(*chosen);
        underWay_.erase(chosen);
        current_.emplace(future.get());
        return true;
    }

    void fill() {
        const std::size_t window = static_cast<std::size_t>(dispatcher_.slaveCount()) * 2 * Schedule::defaultWindow;
        for (; underWay_.size() < window && next_ != std::end(tasks_); ++next_)
            underWay_.emplace_back(dispatcher_, connector_, submitNext());
    }

    /// A task that cannot be sent is a call that has failed already.
    std::shared_ptr<Call> submitNext() {
        connector_.mailbox().throwIfDue();    // no fault of this task
        try {
            return dispatcher_.submit(*next_);
        } catch (const Terminated&) {
            throw;
        } catch (...) {
            auto failed = std::make_shared<Call>();
            failed->isDone = true;
            failed->failure = std::current_exception();
            return failed;
        }
    }

    Dispatcher& dispatcher_;
    Connector& connector_;
    Range tasks_;
    MapOrder order_;
    decltype(std::begin(std::declval<std::remove_reference_t<Range>&>())) next_;
    std::deque<Future<Reply>> underWay_;
    std::optional<Reply> current_;
};

}    // namespace ferry
