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
    /// The oldest call. The list must not be empty.
    const Held& first() const { return places_.front().held; }

    void add(const Held& held) {
        areSorted_ = areSorted_ && (places_.empty() || places_.back().held.entry.call < held.entry.call);
        places_.push_back({held, false});
        ++count_;
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
        closeGaps();
        return taken;
    }

    std::vector<Held> all() const { return last(count_); }
    /// The newest calls, at most `count` of them, in order.
    std::vector<Held> last(std::size_t count) const {
        std::vector<Held> held;
        for (auto place = places_.rbegin(); place != places_.rend() && held.size() < count; ++place) {
            if (!place->isTaken) held.push_back(place->held);
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

    /// Finds a call. The numbers of calls mostly rise, so a binary search usually works.
    Places::iterator find(std::int32_t call) {
        const auto isCall = [call](const Place& place) { return place.held.entry.call == call && !place.isTaken; };
        if (!areSorted_) return std::find_if(places_.begin(), places_.end(), isCall);
        const auto place = std::lower_bound(places_.begin(), places_.end(), call,
                                            [](const Place& one, std::int32_t number) { return one.held.entry.call < number; });
        return place != places_.end() && isCall(*place) ? place : places_.end();
    }

    void closeGaps() {
        while (!places_.empty() && places_.front().isTaken) places_.pop_front();
        while (!places_.empty() && places_.back().isTaken) places_.pop_back();
        if (places_.size() > 2 * count_ + 1) std::erase_if(places_, [](const Place& place) { return place.isTaken; });
        areSorted_ = areSorted_ || places_.empty();
    }

    Places places_;    ///< the first and the last place are not taken
    std::size_t count_ = 0;
    bool areSorted_ = true;    ///< by the numbers of the calls
};

}    // namespace ferry::detail
