#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/simulation/SeededRandom.hpp>

namespace ferry::detail {

/// The network of a simulation: packets under way, each with its time of arrival, and the inboxes of the ranks.
///
/// The seed decides how slow the network is, how much faster or slower control traffic is, and the delay of each packet. Packets of one
/// sender to one receiver on one channel keep their order. Other packets do not.
/// Threads: one at a time.
class SimulatedNetwork {
public:
    static constexpr std::int64_t Never = INT64_MAX;

    /// packetDelay: the upper bound of the delays, positive. Without packetDelay the random numbers decide the bound.
    SimulatedNetwork(int rankCount, SeededRandom random, std::optional<std::chrono::microseconds> packetDelay = {});

    void send(int to, Packet packet, std::int64_t nowUs);

    /// The time at which the next packet arrives, in microseconds; Never when no packet is under way.
    std::int64_t nextArrivalUs() const noexcept { return underWay_.empty() ? Never : underWay_.begin()->first.first; }

    /// A packet that arrives, its receiver, and whether it was dropped because the receiver had gone.
    struct Arrival {
        int to;
        bool isDropped;
        const Packet& packet;    ///< valid until the next call
    };
    /// Moves the next packet that is due into its inbox. Returns nothing when no packet is due.
    std::optional<Arrival> arriveNext(std::int64_t nowUs);

    bool hasPacketFor(int rank) const noexcept;
    /// Takes a packet that has arrived: the oldest one of the control channel, or of the data channel.
    std::optional<Packet> take(int rank);

    /// The number of packets of this rank that are still under way, as pendingSends() tells it; 0 where the network keeps what is sent.
    std::size_t countUnderWay(int from) const noexcept;
    /// The number of packets of one rank to another that have not been taken.
    std::size_t countUntaken(int from, int to) const noexcept;

    /// Closes the inbox of the rank. From now on packets to the rank are dropped, including packets that it has not taken.
    void close(int rank);

    /// The receiver of a lost packet, and the packet.
    using Lost = std::pair<int, Packet>;
    /// Loses packets of a rank that dies. The later packets of each of its streams may be lost. Returns the lost packets.
    std::vector<Lost> loseSomeFrom(int rank, std::int64_t nowUs);

private:
    struct Flight {
        int to;
        Packet packet;
    };
    struct Inbox {
        std::deque<Packet> control;
        std::deque<Packet> data;
        bool isClosed = false;
    };
    /// The packets of one rank to another.
    struct Pair {
        std::int64_t lastDataUs = 0;    // when the last packet arrives
        std::int64_t lastControlUs = 0;
        std::size_t untaken = 0;
    };
    using FlightKey = std::pair<std::int64_t, std::uint64_t>;    // arrival in microseconds, number of the packet

    std::int64_t drawDelayUs(Channel channel);
    Pair& pair(int from, int to);
    Inbox& inboxOf(int rank) noexcept { return inboxes_[static_cast<std::size_t>(rank)]; }

    SeededRandom random_;
    std::vector<Inbox> inboxes_;
    std::map<FlightKey, Flight> underWay_;
    std::vector<std::vector<Pair>> pairs_;    // by sender, then by receiver, up to the highest receiver so far
    std::vector<std::size_t> underWayFrom_;
    std::uint64_t sentCount_ = 0;
    std::uint64_t dataDelayUs_;       // delays of data packets are below this, but for stragglers
    std::uint64_t controlDelayUs_;    // delays of control packets are below this, but for stragglers
    bool keepsWhatIsSent_;
    std::optional<Packet> dropped_;    // the packet that was dropped last
};

}    // namespace ferry::detail
