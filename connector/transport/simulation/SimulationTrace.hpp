#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The events of a simulation, in order. Two runs from the same seed have the same text, byte for byte.
class SimulationTrace {
public:
    enum class Event : std::uint8_t {
        Start,       ///< the rank's thread runs for the first time
        Send,        ///< the rank sends to another rank
        Arrive,      ///< a packet from another rank can be taken
        Drop,        ///< a packet from another rank came too late: the rank has gone
        Lose,        ///< a packet to another rank is lost with its sender
        Take,        ///< the rank takes a packet from another rank
        Rest,        ///< the rank rests until something happens
        Throw,       ///< a fault throws
        Leave,       ///< a fault lets the rank leave
        Kill,        ///< the rank is killed
        Silence,     ///< a fault silences the rank
        Pause,       ///< a fault lets the rank stand still
        Leap,        ///< a fault lets the rank's clock leap ahead
        Learn,       ///< the rank learns that another rank is lost
        Abort,       ///< the rank ended the job by force
        End,         ///< the rank's program has ended
        Deadlock,    ///< a deadlock was found while the rank came to rest
        Limit        ///< the limit was reached in a call of the rank
    };

    /// Adds an event without a packet.
    void add(std::int64_t timeUs, int rank, Event event);
    /// Adds an event with a packet from or to the other rank. Only the number of ints and the first three ints are kept.
    void add(std::int64_t timeUs, int rank, Event event, int other, Channel channel, std::span<const std::int32_t> ints);

    std::size_t size() const noexcept { return entries_.size(); }

    /// Returns one line for each event: the time in microseconds, the rank, its action, and the other rank. The line of a packet also has
    /// the channel, the number of ints, and the first three ints: kind, key and number of an Envelope. lastLines: at most this number of
    /// lines, the last ones, are returned.
    std::string text(std::size_t lastLines = SIZE_MAX) const;

private:
    struct Entry {
        std::int64_t timeUs = 0;
        std::size_t intCount = 0;
        std::array<std::int32_t, 3> firstInts{};
        int rank = -1;
        int other = -1;
        Event event = Event::Start;
        Channel channel = Channel::Data;
    };

    static std::string lineOf(const Entry& entry);

    std::vector<Entry> entries_;
};

}    // namespace ferry::detail
