#include <ferry/connector/measurement/Timers.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <memory>
#include <mutex>
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

/// The ends of runs, on any thread. Ownership: shared by the timers and their runs.
class Timers::Ends {
public:
    Ends(Timers& timers, Threads threads) noexcept : threads_(std::move(threads)), timers_(&timers) {}
    Ends(const Ends&) = delete;
    Ends& operator=(const Ends&) = delete;

    void requireThread() const { threads_.require(); }

    /// Ends a run now, or at the next call when another thread uses the connector.
    void add(std::size_t place, std::uint64_t number) noexcept {
        const std::lock_guard lock(mutex_);
        if (timers_ == nullptr) return;
        const Clock::time_point now = timers_->clock_.now();
        if (threads_.isOfThisThread()) {
            endWaiting();
            timers_->stop(place, number, now);
            return;
        }
        if (waiting_.number != 0 && waiting_.number < number) return;    // the run around ends this one, too
        waiting_ = {place, number, now};
        isAny_.store(true, std::memory_order_relaxed);
    }
    /// Ends the runs whose ends have waited.
    void take() noexcept {
        if (!isAny_.load(std::memory_order_relaxed)) [[likely]]
            return;
        const std::lock_guard lock(mutex_);
        endWaiting();
    }
    /// Notes the end of the timers.
    void close() noexcept {
        const std::lock_guard lock(mutex_);
        timers_ = nullptr;
    }

private:
    struct Waiting {
        std::size_t place = 0;
        std::uint64_t number = 0;    ///< 0: no run waits
        Clock::time_point at{};
    };

    void endWaiting() noexcept {
        const Waiting one = std::exchange(waiting_, {});
        isAny_.store(false, std::memory_order_relaxed);
        if (one.number != 0) timers_->stop(one.place, one.number, one.at);
    }

    const Threads threads_;
    std::atomic<bool> isAny_{false};
    std::mutex mutex_;    ///< guards the members below
    Timers* timers_;      ///< null: the timers have ended
    Waiting waiting_;     ///< the outermost of the runs that ended elsewhere
};

Timers::Run::~Run() { ends_->add(place_, number_); }

Timers::Timers(const detail::Transport& clock, Threads threads) : clock_(clock), ends_(std::make_shared<Ends>(*this, std::move(threads))) {}
Timers::~Timers() { ends_->close(); }

/// To be called first in each call.
void Timers::begin() {
    ends_->requireThread();
    ends_->take();
}

Timers::Run Timers::time(std::string_view name) {
    begin();
    const std::size_t place = placeOf(name, false);
    Entry& entry = entries_[place];
    entry.run = ++runCount_;
    innermost_ = place;
    entry.begun = clock_.now();
    return Run(ends_, place, entry.run);
}

void Timers::count(std::string_view name, std::int64_t amount) {
    begin();
    detail::MeasuredEntry& counter = entries_[placeOf(name, true)].measured;
    ++counter.callCount;
    detail::addWithin(counter.amount, amount);
}

void Timers::recordTo(Recorder recorder) noexcept {
    ends_->take();
    recorder_ = std::move(recorder);
}

void Timers::clear() {
    begin();
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
void Timers::stop(std::size_t place, std::uint64_t number, Clock::time_point now) noexcept {
    if (place >= entries_.size() || entries_[place].run != number) return;
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

std::vector<detail::MeasuredEntry> Timers::measured() {
    begin();
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
