#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ints/ClassId.hpp>

namespace ferry::detail {

/// An event on one rank: its kind, begin and end, on the rank's own clock. The event travels: docs/wire-format.md.
struct TraceEvent {
    enum class Kind : std::int32_t {
        Task = 1,      ///< a slave has worked on the task
        Wait = 2,      ///< a slave was idle, or the master waited
        Send = 3,      ///< the master has given the task to a slave
        TakeIn = 4,    ///< the master has taken in the reply
        Timer = 5,     ///< a timer of the program has run (Timers)
    };
    FERRY_FIELDS(kind, number, taskClass, begin, end)

    Kind kind = Kind::Task;
    std::int32_t number = 0;    ///< number of the task, or of the name of a timer; 0 for a wait
    ClassId taskClass = 0;      ///< class of a task that a slave has done
    Transport::Clock::time_point begin{};
    Transport::Clock::time_point end{};
};

/// The events of one rank. The buffer holds a bounded number of events; later events are only counted.
class TraceBuffer {
public:
    /// room: greatest number of events. 0: no event is recorded or counted.
    explicit TraceBuffer(std::size_t room = 0) : room_(room) { events_.reserve(room); }    // so that the vector need not grow later

    static constexpr std::size_t usualRoom = std::size_t{1} << 18;
    static constexpr std::size_t mostNames = 10'000;

    bool isOn() const noexcept { return room_ != 0; }
    void add(const TraceEvent& event) {
        if (events_.size() < room_) {
            events_.push_back(event);
        } else if (isOn()) {
            ++droppedCount_;
        }
    }

    /// Adds a run of a timer of the program. Names beyond mostNames are dropped, with their events.
    void addTimer(const std::string& name, Transport::Clock::time_point begin, Transport::Clock::time_point end);
    /// The names of timers, by their numbers.
    const std::vector<std::string>& names() const noexcept { return names_; }

    const std::vector<TraceEvent>& events() const noexcept { return events_; }
    std::uint64_t droppedCount() const noexcept { return droppedCount_; }

private:
    std::size_t room_;
    std::vector<TraceEvent> events_;
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::int32_t> numbers_;    ///< by name
    std::uint64_t droppedCount_ = 0;
};

/// The part of one rank in the trace of a job.
struct RankTrace {
    int rank = 0;
    std::vector<TraceEvent> events{};
    std::uint64_t droppedCount = 0;
    std::chrono::nanoseconds clockOffset{0};    ///< offset of the rank's clock from the master's clock
    std::chrono::nanoseconds clockError{0};     ///< greatest error of clockOffset
    std::vector<std::string> names{};           ///< of timers, by the numbers in the events
};

}    // namespace ferry::detail
