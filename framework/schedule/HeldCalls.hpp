#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/framework/schedule/TaskQueue.hpp>

namespace ferry::detail {

/// The calls that a slave has, in the order in which it got them. Pure logic.
///
/// A slave answers nearly in that order, but a sub-master does not. A call that is taken from the middle leaves a gap. A gap is closed when
/// all calls before it have been taken, or when more than half of the places are gaps.
class HeldCalls {
public:
    struct Held {
        TaskQueue::Entry entry;
        std::chrono::nanoseconds expected{0};
    };

    bool isEmpty() const noexcept { return count_ == 0; }
    std::size_t count() const noexcept { return count_; }
    /// The number of tasks that the calls stand for.
    std::size_t taskCount() const noexcept { return taskCount_; }
    /// The oldest call. The list must not be empty.
    const Held& first() const { return places_.front().held; }

    void add(const Held& held) {
        areSorted_ = areSorted_ && (places_.empty() || places_.back().held.entry.call < held.entry.call);
        places_.push_back({held, false});
        ++count_;
        taskCount_ += held.entry.facts.taskCount;
    }

    /// Adds a call at its place in the order of the numbers.
    void insert(const Held& held) {
        if (!areSorted_ || places_.empty()) return add(held);
        places_.insert(firstNotBelow(held.entry.call), {held, false});
        ++count_;
        taskCount_ += held.entry.facts.taskCount;
    }

    /// Takes one task out of a call that stands for several, and returns that task with its share of the expected time. The call stays,
    /// also without tasks. Empty: the call is not here, or has no task.
    std::optional<Held> takeTask(std::int32_t call) {
        const auto place = find(call);
        if (place == places_.end()) return std::nullopt;
        CallFacts& facts = place->held.entry.facts;
        if (facts.taskCount == 0) return std::nullopt;
        Held taken = place->held;
        taken.entry.facts.taskCount = 1;
        taken.expected = place->held.expected / static_cast<std::int64_t>(facts.taskCount);
        place->held.expected -= taken.expected;
        --facts.taskCount;
        --taskCount_;
        return taken;
    }

    /// The entry of a call; null: the call is not here. Valid until a call is added or taken.
    const Held* at(std::int32_t call) {
        const auto place = find(call);
        return place != places_.end() ? &place->held : nullptr;
    }

    /// Takes out a call. Empty: the call is not here.
    std::optional<Held> take(std::int32_t call) {
        const auto place = find(call);
        if (place == places_.end()) return std::nullopt;
        std::optional<Held> taken(place->held);
        place->isTaken = true;
        --count_;
        taskCount_ -= taken->entry.facts.taskCount;
        closeGaps();
        return taken;
    }

    std::vector<Held> all() const { return last(taskCount_); }
    /// The newest calls in order, with `count` tasks or a few more.
    std::vector<Held> last(std::size_t count) const {
        std::vector<Held> held;
        std::size_t found = 0;
        for (auto place = places_.rbegin(); place != places_.rend() && found < count; ++place) {
            if (place->isTaken) continue;
            held.push_back(place->held);
            found += place->held.entry.facts.taskCount;
        }
        std::reverse(held.begin(), held.end());
        return held;
    }

private:
    struct Place {
        Held held;
        bool isTaken = false;
    };
    using Places = std::deque<Place>;

    /// Finds a call. A slave mostly answers its oldest call. The numbers of calls mostly rise, so else a binary search usually works.
    Places::iterator find(std::int32_t call) {
        const auto isCall = [call](const Place& place) { return place.held.entry.call == call && !place.isTaken; };
        if (!places_.empty() && isCall(places_.front())) return places_.begin();
        if (!areSorted_) return std::find_if(places_.begin(), places_.end(), isCall);
        const auto place = firstNotBelow(call);
        return place != places_.end() && isCall(*place) ? place : places_.end();
    }

    Places::iterator firstNotBelow(std::int32_t call) {
        return std::lower_bound(places_.begin(), places_.end(), call,
                                [](const Place& one, std::int32_t number) { return one.held.entry.call < number; });
    }

    void closeGaps() {
        while (!places_.empty() && places_.front().isTaken) places_.pop_front();
        while (!places_.empty() && places_.back().isTaken) places_.pop_back();
        if (places_.size() > 2 * count_ + 1) std::erase_if(places_, [](const Place& place) { return place.isTaken; });
        areSorted_ = areSorted_ || places_.empty();
    }

    Places places_;    ///< the first and the last place are not taken
    std::size_t count_ = 0;
    std::size_t taskCount_ = 0;
    bool areSorted_ = true;    ///< by the numbers of the calls
};

}    // namespace ferry::detail
