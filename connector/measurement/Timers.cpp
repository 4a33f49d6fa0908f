#include <ferry/connector/measurement/Timers.hpp>

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

FERRY_FIELDS_DEFINED(ferry::detail::MeasuredEntry)

namespace ferry {

namespace {

std::int64_t nanoseconds(Timers::Clock::duration time) { return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count(); }

}    // namespace

void detail::addWithin(std::int64_t& amount, std::int64_t more) noexcept {
    if (isAtLimit(amount) || !__builtin_add_overflow(amount, more, &amount)) return;
    amount = more > 0 ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
}

Timers::Run Timers::time(std::string_view name) {
    const std::size_t place = placeOf(name, false);
    Entry& entry = entries_[place];
    entry.run = ++runCount_;
    innermost_ = place;
    entry.begun = clock_.now();
    return Run(*this, place, entry.run);
}

void Timers::count(std::string_view name, std::int64_t amount) {
    detail::MeasuredEntry& counter = entries_[placeOf(name, true)].measured;
    ++counter.callCount;
    detail::addWithin(counter.amount, amount);
}

void Timers::recordTo(Recorder recorder) { recorder_ = std::move(recorder); }

void Timers::clear() noexcept {
    entries_.clear();
    outermost_.clear();
    innermost_ = nowhere;
}

/// The place of an entry inside the innermost timer. Makes the entry if there is none.
std::size_t Timers::placeOf(std::string_view name, bool isCounter) {
    for (const std::size_t place : insideOf(innermost_)) {
        const detail::MeasuredEntry& known = entries_[place].measured;
        if (known.isCounter == isCounter && known.name == name) return place;
    }
    if (name.empty()) throw UsageError("a timer or counter needs a name, found an empty text");
    const std::size_t place = entries_.size();
    Entry entry;
    entry.depth = innermost_ == nowhere ? 0 : entries_[innermost_].depth + 1;
    if (entry.depth == mostNested)
        throw UsageError(fmt::format("{} lies inside {} timers, which is the most: begin the timer of a recursive function outside of it",
                                     name, mostNested));
    entry.measured.name = name;
    entry.measured.parent = innermost_ == nowhere ? -1 : static_cast<std::int32_t>(innermost_);
    entry.measured.isCounter = isCounter;
    insideOf(innermost_).reserve(insideOf(innermost_).size() + 1);
    entries_.push_back(std::move(entry));
    insideOf(innermost_).push_back(place);
    return place;
}

/// Ends a run, and the runs that began inside it. Does nothing when the run has ended already.
void Timers::stop(std::size_t place, std::uint64_t number) noexcept {
    if (place >= entries_.size() || entries_[place].run != number) return;
    const Clock::time_point now = clock_.now();
    for (bool isLast = false; !isLast;) {
        isLast = innermost_ == place;
        Entry& entry = entries_[innermost_];
        ++entry.measured.callCount;
        detail::addWithin(entry.measured.amount, nanoseconds(now - entry.begun));
        entry.run = 0;
        innermost_ = entry.measured.parent < 0 ? nowhere : static_cast<std::size_t>(entry.measured.parent);
        if (recorder_) recorder_(entry.measured.name, entry.begun, now);
    }
}

std::vector<detail::MeasuredEntry> Timers::measured() const {
    const Clock::time_point now = clock_.now();
    std::vector<detail::MeasuredEntry> all;
    all.reserve(entries_.size());
    for (const Entry& entry : entries_) {
        detail::MeasuredEntry& one = all.emplace_back(entry.measured);
        if (entry.run == 0) continue;
        ++one.callCount;
        detail::addWithin(one.amount, nanoseconds(now - entry.begun));
    }
    return all;
}

}    // namespace ferry
