#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// The events of a simulation, in order. Two runs from the same seed have the same text, byte for byte.
class SimulationTrace {
public:
    enum class Event : std::uint8_t {
        Start,       ///< the rank's thread runs for the first time
        Send,        ///< to another rank
        Arrive,      ///< a packet from another rank can be taken
        Drop,        ///< a packet from another rank came too late: the rank has gone
        Lose,        ///< a packet to another rank is lost with its sender
        Take,        ///< a packet from another rank
        Rest,        ///< until something happens
        Throw,       ///< by a fault
        Leave,       ///< by a fault
        Kill,        ///< by a fault
        Silence,     ///< by a fault
        Learn,       ///< that a rank is lost
        Abort,       ///< ended the job by force
        End,         ///< the rank's program has ended
        Deadlock,    ///< found while the rank came to rest
        Limit        ///< reached in a call of the rank
    };

    /// Without a packet.
    void add(std::int64_t timeUs, int rank, Event event);
    /// With a packet from or to the other rank. Of the ints only the number and the first three are kept.
    void add(std::int64_t timeUs, int rank, Event event, int other, Channel channel, std::span<const std::int32_t> ints);

    std::size_t size() const noexcept { return entries_.size(); }

    /// One line for each event: the time in microseconds, the rank, what it did, with whom; of a packet its channel, how many ints it has,
    /// and the first three of them, which are kind, key and number of an Envelope. Only the last so many lines when there are more.
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

}    // namespace ferry
