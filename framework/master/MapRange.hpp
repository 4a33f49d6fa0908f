#pragma once

#include <cstddef>
#include <exception>
#include <iterator>
#include <list>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/framework/master/ArrivalQueue.hpp>
#include <ferry/framework/master/BundleDesk.hpp>
#include <ferry/framework/master/DroppedMaps.hpp>
#include <ferry/framework/master/Future.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/framework/schedule/TaskOptions.hpp>
#include <ferry/framework/slave/TaskTraits.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/ints/algorithms.hpp>
#include <ferry/serialization/ints/rangeConcepts.hpp>

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
/// A function of then() or onSubmitted() that runs while the loop waits may neither use nor destroy the object. Its use is a UsageError.
/// Threads: like the master, one at a time. The destructor may run on another thread while a call of the master lasts that is none of this
/// object.
/// Ownership: keeps a range that was moved in, borrows a range that was passed by name.
template <class Range>
class MapRange {
public:
    using Request = std::remove_cvref_t<std::ranges::range_reference_t<std::remove_reference_t<Range>>>;
    using Reply = std::conditional_t<std::is_void_v<detail::ReplyOf<Request>>, Done, detail::ReplyOf<Request>>;

    MapRange(detail::TaskDesk desk, Range&& tasks, MapOrder order, const TaskOptions& options)
        : desk_(desk),
          dropped_(desk.bundles().droppedMaps()),
          tasks_(std::forward<Range>(tasks)),
          how_{order, options},
          wantedCount_(static_cast<std::size_t>(std::max(desk.slaveCount(), 1))),
          next_(std::ranges::begin(tasks_)) {
        if constexpr (std::ranges::sized_range<std::remove_reference_t<Range>>)
            announce(static_cast<std::ptrdiff_t>(std::ranges::size(tasks_)));
    }
    MapRange(const MapRange&) = delete;
    MapRange& operator=(const MapRange&) = delete;
    ~MapRange() { dropped_->drop(desk_, underWay_, announcedCount_); }

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
        Reply* operator->() const { return std::addressof(*range_->current_); }
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
    using UnderWay = detail::MapTask;
    /// A task that is done, and whose reply was not handed out.
    struct Arrival {
        UnderWay* task = nullptr;
        std::size_t inBundle = 0;
    };
    /// The tasks that are done. The fill functions reserve the room.
    struct Arrivals final : detail::ArrivalQueue<Arrival>, detail::DoneListener {
        void noteDone(void* task) noexcept override { this->add({static_cast<UnderWay*>(task)}); }
    };

    /// The way in which the map is done.
    struct How {
        MapOrder order;
        TaskOptions options;
    };
    /// A move to the next reply. Errors: UsageError inside another move of the same map.
    class Advance {
    public:
        explicit Advance(bool& isAdvancing) : isAdvancing_(isAdvancing) {
            if (std::exchange(isAdvancing, true)) detail::failNestedMap();
        }
        Advance(const Advance&) = delete;
        Advance& operator=(const Advance&) = delete;
        ~Advance() { isAdvancing_ = false; }

    private:
        bool& isAdvancing_;
    };

    /// Moves to the next reply. False: no reply is left.
    bool advance() {
        const Advance advance(isAdvancing_);
        desk_.runDue();
        fill();
        if (underWay_.empty()) return false;
        Arrival chosen{&underWay_.front(), underWay_.front().takenCount};
        if (how_.order == MapOrder::Completion) {
            if (arrived_->isEmpty()) desk_.waitUntil([this] { return !arrived_->isEmpty(); });
            chosen = arrived_->take();
        } else if (chosen.task->bundle && !chosen.task->bundle->isOver(chosen.inBundle)) {
            desk_.waitUntil([&chosen] { return chosen.task->bundle->isOver(chosen.inBundle); });
        } else if (!chosen.task->bundle && !chosen.task->task->isDone) {
            desk_.wait(*chosen.task->task);
        }
        --openCount_;
        if (chosen.task->bundle) {
            takeFromBundle(chosen);
        } else {
            Future<Reply> future(desk_, std::move(chosen.task->task));
            remove(*chosen.task);
            current_.emplace(future.get());
        }
        return true;
    }

    void takeFromBundle(const Arrival& chosen) {
        const std::shared_ptr<detail::Bundle> bundle = chosen.task->bundle;
        const detail::Bundle::Slot slot = std::exchange(bundle->slots[chosen.inBundle], {detail::Bundle::State::Over});
        if (++chosen.task->takenCount == bundle->slots.size()) remove(*chosen.task);
        const detail::BundleDesk bundles = desk_.bundles();
        current_.emplace(detail::readReply<Reply>(bundles.factory(),
                                                  [&](detail::ClassId id, const char* name) { return bundles.replyOf(slot, id, name); }));
    }

    void fill() {
        while (openCount_ < wantedCount_ && next_ != std::ranges::end(tasks_)) {
            if (bundleSize_ > 1 && openCount_ > 0 && wantedCount_ - openCount_ < bundleSize_) return;
            if (bundleSize_ > 1) {
                fillBundle();
            } else {
                fillOne();
            }
        }
    }

    void fillOne() {
        arrived_->reserve(openCount_ + 1);
        UnderWay& one = addUnderWay();
        try {
            one.task = submitNext();
        } catch (...) {
            remove(one);
            throw;
        }
        ++openCount_;
        if (how_.order == MapOrder::Completion) one.task->tell(arrived_, &one);
        ++next_;
    }

    /// Adds a place at the end. Places are used again, so that a steady map allocates none.
    UnderWay& addUnderWay() {
        if (spare_.empty()) spare_.emplace_back();
        underWay_.splice(underWay_.end(), spare_, spare_.begin());
        UnderWay& added = underWay_.back();
        added.place = std::prev(underWay_.end());
        return added;
    }
    void remove(UnderWay& one) noexcept {
        one.task.reset();
        one.bundle.reset();
        one.takenCount = 0;
        spare_.splice(spare_.begin(), underWay_, one.place);
    }

    /// Submits the next tasks together. A slow range gives small bundles, so that no task waits long for the next one.
    void fillBundle() {
        desk_.throwIfDue();    // an exception of the job, not of a task
        const std::shared_ptr<detail::Bundle> bundle = desk_.bundles().make(how_.options);
        arrived_->reserve(openCount_ + bundleSize_);
        UnderWay& one = addUnderWay();
        one.bundle = bundle;
        if (how_.order == MapOrder::Completion)
            bundle->onOver = [arrived = arrived_, task = &one](std::size_t inBundle) { arrived->add({task, inBundle}); };
        bool isNextAlone = false;
        try {
            isNextAlone = gather(*bundle);
        } catch (...) {    // from the range: the tasks that it has given are submitted
            submit(one);
            throw;
        }
        submit(one);
        desk_.lookNowAndThen();
        if (isNextAlone) fillOne();
    }

    /// Adds the next tasks to the bundle. True: the task after them must be submitted by itself.
    bool gather(detail::Bundle& bundle) {
        const detail::BundleDesk bundles = desk_.bundles();
        const auto begin = bundles.now();
        while (next_ != std::ranges::end(tasks_) && bundle.slots.size() < bundleSize_ && !bundles.isLate(begin)) {
            if (!addNextTo(bundle)) return true;
            ++openCount_;
            if (announcedCount_ > 0) announce(-1);
            ++next_;
        }
        return false;
    }

    /// False: the task must be submitted by itself. A task that cannot be written has failed already.
    bool addNextTo(detail::Bundle& bundle) {
        const detail::BundleDesk bundles = desk_.bundles();
        try {
            if constexpr (detail::TaskTraits<Request>::isSound) return bundles.add(bundle, detail::asMessage(*next_));
            return false;
        } catch (const Terminated&) {
            throw;
        } catch (detail::ForcedUnwind&) {
            throw;
        } catch (...) {
            bundles.addFailed(bundle, std::current_exception());
            return true;
        }
    }

    /// Submits a bundle, if it has tasks. A bundle that cannot be sent has failed already.
    void submit(UnderWay& one) {
        const std::shared_ptr<detail::Bundle> bundle = one.bundle;
        if (bundle->slots.empty()) return remove(one);
        try {
            const auto [wanted, bundleSize] = desk_.bundles().submit(bundle);
            if (wanted == 0) return;
            wantedCount_ = wanted;
            bundleSize_ = bundleSize;
        } catch (const Terminated&) {
            throw;
        } catch (detail::ForcedUnwind&) {
            throw;
        } catch (...) {
            desk_.bundles().fail(*bundle, std::current_exception());
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
            if (mayBundle_) bundleSize_ = desk_.bundles().sizeFor(*task);
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
            return desk_.submit(detail::asMessage(task), how_.options);
        } else {
            return nullptr;
        }
    }

    void announce(std::ptrdiff_t count) {
        announcedCount_ += count;
        desk_.announce(count);
    }

    detail::TaskDesk desk_;
    const std::shared_ptr<detail::DroppedMaps> dropped_;
    Range tasks_;
    const How how_;
    bool isAdvancing_ = false;
    std::size_t wantedCount_;    ///< number of tasks under way
    std::ranges::iterator_t<std::remove_reference_t<Range>> next_;
    std::ptrdiff_t announcedCount_ = 0;    ///< number of tasks that are still to come, if known
    std::list<UnderWay> underWay_;
    std::list<UnderWay> spare_;     ///< places without a task, at most as many as once were under way
    std::size_t openCount_ = 0;     ///< number of tasks under way
    std::size_t bundleSize_ = 1;    ///< number of tasks that are submitted together
    const bool mayBundle_ = std::ranges::sized_range<std::remove_reference_t<Range>> && how_.options.deadline.isNever() &&
                            how_.options.retry.times() == 0;              ///< another range may wait for something between two tasks
    std::shared_ptr<Arrivals> arrived_ = std::make_shared<Arrivals>();    ///< done, but not handed out
    std::optional<Reply> current_;
};

}    // namespace ferry
