#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/Fields.hpp>

namespace ferry {

namespace detail {

/// Whether an amount has left the range of the integer (addWithin).
constexpr bool isAtLimit(std::int64_t amount) noexcept {
    return amount == std::numeric_limits<std::int64_t>::max() || amount == std::numeric_limits<std::int64_t>::min();
}
/// Adds to an amount. One that leaves the range of the integer stays at that end.
void addWithin(std::int64_t& amount, std::int64_t more) noexcept;

/// A timer or a counter of one rank, as it travels: docs/wire-format.md.
struct MeasuredEntry {
    std::string name;
    std::int32_t parent = -1;    ///< index of the timer around it, which comes earlier in the list; -1: none
    bool isCounter = false;
    std::uint64_t callCount = 0;
    std::int64_t amount = 0;    ///< nanoseconds of a timer, sum of a counter; at an end of the range: the amount is beyond it
    FERRY_FIELDS_DECLARED(name, parent, isCounter, callCount, amount)
};

}    // namespace detail

/// The timers and counters of one rank. A timer runs while the object that time() returns lives. A timer or counter that begins while
/// another timer runs lies inside that one: the same name in two timers is two entries.
///
/// The clock is that of the connector, which a simulation replaces. In a job with --ferry-trace, each run of a timer is a slice in the row
/// of its rank.
///
/// Ownership: borrows the clock. Threads: those of the connector. The end of a run on another thread counts at the next call. Errors:
/// UsageError for an empty name, for more than mostNested timers inside each other, and on a thread that may not use the connector now.
class Timers {
public:
    using Clock = detail::Transport::Clock;
    /// The number of timers and counters that may lie inside each other.
    static constexpr std::size_t mostNested = 100;
    /// Gets the name, begin and end of each run of a timer. Must neither throw nor use the timers.
    using Recorder = std::function<void(const std::string& name, Clock::time_point begin, Clock::time_point end)>;

    /// The checks of the connector, for any thread.
    struct Threads {
        std::function<void()> require;           ///< throws UsageError on a thread that may not use the connector now
        std::function<bool()> isOfThisThread;    ///< whether this thread has used the connector last
    };

private:
    class Ends;

public:
    /// One run of a timer, from time() to the end of this object. A run ends the runs that began inside it. May outlive its timers.
    class Run {
    public:
        Run(const Run&) = delete;
        Run& operator=(const Run&) = delete;
        ~Run();

    private:
        friend class Timers;
        Run(const std::shared_ptr<Ends>& ends, std::size_t place, std::uint64_t number) noexcept
            : ends_(ends),
              place_(place),
              number_(number) {}

        const std::shared_ptr<Ends> ends_;
        std::size_t place_;
        std::uint64_t number_;
    };

    Timers(const detail::Transport& clock, Threads threads);
    Timers(const Timers&) = delete;
    Timers& operator=(const Timers&) = delete;
    ~Timers();

    /// Lets the timer of this name run: const auto run = connector.timers().time("solve").
    [[nodiscard]] Run time(std::string_view name);
    /// Adds an amount to the counter of this name. A sum that would leave the range of the integer stays at that end of the range from
    /// then on, and the figures of all ranks say so (Measurement::atLimit).
    void count(std::string_view name, std::int64_t amount = 1);

    /// Forgets all timers and counters. Timers that run are forgotten when they end.
    void clear();

    /// Sets the function that gets each run of a timer from now on; empty: none. Does not check the thread, since destructors call it.
    void recordTo(Recorder recorder) noexcept;

    /// All timers and counters. A timer that runs counts until now.
    std::vector<detail::MeasuredEntry> measured();

private:
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    struct Entry {
        detail::MeasuredEntry measured;
        std::vector<std::size_t> inside;    ///< places of the entries inside this timer
        Clock::time_point begun{};          ///< of the present run
        std::size_t depth = 0;              ///< number of timers around it
        std::uint64_t run = 0;              ///< number of the present run; 0: the timer does not run
    };

    std::size_t placeOf(std::string_view name, bool isCounter);
    void begin();
    void stop(std::size_t place, std::uint64_t number, Clock::time_point now) noexcept;
    std::vector<std::size_t>& insideOf(std::size_t place) noexcept { return place == nowhere ? outermost_ : entries_[place].inside; }

    const detail::Transport& clock_;
    const std::shared_ptr<Ends> ends_;
    std::vector<Entry> entries_;
    std::vector<std::size_t> outermost_;
    std::size_t innermost_ = nowhere;    ///< place of the timer that began last and runs
    std::uint64_t runCount_ = 0;
    Recorder recorder_;
};

}    // namespace ferry
