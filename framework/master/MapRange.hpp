#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <ranges>
#include <type_traits>
#include <utility>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/master/Future.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/framework/schedule/TaskOptions.hpp>
#include <ferry/framework/slave/TaskTraits.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>

namespace ferry {

/// The order in which Master::map hands out the replies.
enum class MapOrder {
    Submission,    ///< the order of the tasks
    Completion,    ///< the order in which the replies come
};

/// The replies to a range of tasks, for one pass: `for (const Answer& answer : master.map(tasks))`.
///
/// The range is any input range, also an endless one. Its tasks are taken as replies are used. Only a window of tasks is under way,
/// large enough to keep the slaves busy.
/// A task that failed, or could not be written, throws its exception from the loop once, at its place in the order. The next loop over the
/// same object (or the next ++ of the iterator) goes on with the reply after it.
/// The destructor takes back the tasks that no slave has.
/// Ownership: keeps a range that was moved in, borrows a range that was passed by name.
template <class Range>
class MapRange {
public:
    using Request = std::remove_cvref_t<std::ranges::range_reference_t<std::remove_reference_t<Range>>>;
    using Reply = std::conditional_t<std::is_void_v<detail::ReplyOf<Request>>, Done, detail::ReplyOf<Request>>;

    MapRange(detail::TaskDesk desk, Range&& tasks, MapOrder order, const TaskOptions& options)
        : desk_(desk),
          tasks_(std::forward<Range>(tasks)),
          order_(order),
          options_(options),
          wantedCount_(static_cast<std::size_t>(std::max(desk.slaveCount(), 1))),
          next_(std::ranges::begin(tasks_)) {
        if constexpr (std::ranges::sized_range<std::remove_reference_t<Range>>)
            announce(static_cast<std::ptrdiff_t>(std::ranges::size(tasks_)));
    }
    MapRange(const MapRange&) = delete;
    MapRange& operator=(const MapRange&) = delete;
    ~MapRange() {    // withdraw() is local: nothing is sent
        for (const UnderWay& one : underWay_) desk_.withdraw(*one.task);
        announce(-announcedCount_);
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
    struct UnderWay {
        std::shared_ptr<detail::Completion> task;
        Future<Reply> future;
    };
    using Place = typename std::list<UnderWay>::iterator;

    /// Moves to the next reply. False: no reply is left.
    bool advance() {
        desk_.requireThread();
        fill();
        if (underWay_.empty()) return false;
        Place chosen = underWay_.begin();
        if (order_ == MapOrder::Completion) {
            desk_.waitUntil([this] { return !arrived_->empty(); });
            chosen = arrived_->front();
            arrived_->pop_front();
        } else {
            desk_.wait(*chosen->task);
        }
        Future<Reply> future = std::move(chosen->future);
        underWay_.erase(chosen);
        current_.emplace(future.get());
        return true;
    }

    void fill() {
        for (; underWay_.size() < wantedCount_ && next_ != std::ranges::end(tasks_); ++next_) {
            const std::shared_ptr<detail::Completion> task = submitNext();
            underWay_.push_back({task, Future<Reply>(desk_, task)});
            if (order_ == MapOrder::Submission) continue;
            desk_.whenDone(task,
                           [arrived = arrived_, place = std::prev(underWay_.end())](detail::Completion&) { arrived->push_back(place); });
        }
    }

    /// Submits the next task. A task that cannot be sent has failed already.
    std::shared_ptr<detail::Completion> submitNext() {
        desk_.throwIfDue();    // an exception of the job, not of this task
        desk_.lookNowAndThen();
        if (announcedCount_ > 0) announce(-1);
        try {
            std::shared_ptr<detail::Completion> task = submitAsMessage(*next_);
            wantedCount_ = desk_.wantedCount(*task);
            return task;
        } catch (const Terminated&) {
            throw;
        } catch (detail::ForcedUnwind&) {
            throw;
        } catch (...) {
            return desk_.failed();
        }
    }

    std::shared_ptr<detail::Completion> submitAsMessage(const Request& task) {
        if constexpr (detail::TaskTraits<Request>::isSound) {
            return desk_.submit(detail::asMessage(task), options_);
        } else {
            return nullptr;
        }
    }

    void announce(std::ptrdiff_t count) {
        announcedCount_ += count;
        desk_.announce(count);
    }

    detail::TaskDesk desk_;
    Range tasks_;
    MapOrder order_;
    TaskOptions options_;
    std::size_t wantedCount_;    ///< number of tasks under way
    std::ranges::iterator_t<std::remove_reference_t<Range>> next_;
    std::ptrdiff_t announcedCount_ = 0;    ///< number of tasks that are still to come, if known
    std::list<UnderWay> underWay_;
    std::shared_ptr<std::deque<Place>> arrived_ = std::make_shared<std::deque<Place>>();    ///< done, but not handed out
    std::optional<Reply> current_;
};

}    // namespace ferry
