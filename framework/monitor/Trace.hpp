#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/ints/ClassId.hpp>

namespace ferry {

/// What a rank has done from when to when, on its own clock. Travels: docs/wire-format.md.
struct TraceEvent {
    enum class Kind : std::int32_t {
        Task = 1,      ///< a slave has worked
        Wait = 2,      ///< it had nothing to do, or the master waited
        Send = 3,      ///< the master has given the task to a slave
        TakeIn = 4,    ///< it has got its reply
    };
    FERRY_FIELDS(kind, number, taskClass, begin, end)

    Kind kind = Kind::Task;
    std::int32_t number = 0;    ///< of the task; 0 of a wait
    ClassId taskClass = 0;      ///< of a task that a slave has done
    Transport::Clock::time_point begin{};
    Transport::Clock::time_point end{};
};

/// What one rank has done. Holds a bounded number of events; later ones are counted.
class TraceBuffer {
public:
    /// With no room nothing is recorded or counted.
    explicit TraceBuffer(std::size_t room = 0) : room_(room) { events_.reserve(room); }    // so that growing costs no time later

    static constexpr std::size_t usualRoom = std::size_t{1} << 18;

    bool isOn() const noexcept { return room_ != 0; }
    void add(const TraceEvent& event) {
        if (events_.size() < room_) {
            events_.push_back(event);
        } else if (isOn()) {
            ++droppedCount_;
        }
    }

    const std::vector<TraceEvent>& events() const noexcept { return events_; }
    std::uint64_t droppedCount() const noexcept { return droppedCount_; }

private:
    std::size_t room_;
    std::vector<TraceEvent> events_;
    std::uint64_t droppedCount_ = 0;
};

/// The part of one rank in the trace of a job.
struct RankTrace {
    int rank = 0;
    std::vector<TraceEvent> events{};
    std::uint64_t droppedCount = 0;
    std::chrono::nanoseconds clockOffset{0};    ///< of its clock, from the master's
    std::chrono::nanoseconds clockError{0};     ///< how wrong that may be
};

}    // namespace ferry
