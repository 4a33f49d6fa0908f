#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <mpi.h>

#include <ferry/connector/transport/RingWriter.hpp>
#include <ferry/connector/transport/SharedMemory.hpp>
#include <ferry/connector/transport/mpi/MpiHost.hpp>
#include <ferry/connector/transport/mpi/MpiSends.hpp>
#include <ferry/connector/transport/mpi/calls/MpiLarge.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// The rings through which a rank sends small packets to other ranks of its host. A ring is made when the rank has sent some packets to its
/// receiver. Packets go over MPI as long as there is no ring, and while the ring is full.
///
/// The order of packets to one rank: a packet that goes over MPI beside an open ring has a mark in the ring. A note over MPI (RingTag) says
/// that the next packets lie in the ring. The last thing in a full ring says that the next packets come over MPI.
///
/// Ownership: owns its mapping of the memory of each ring; borrows roads and sends. Errors: MpiError.
class MpiRingsOut {
public:
    MpiRingsOut(const MpiRoads& roads, MpiSends& sends) noexcept : roads_(roads), sends_(sends) {}
    MpiRingsOut(const MpiRingsOut&) = delete;
    MpiRingsOut& operator=(const MpiRingsOut&) = delete;

    /// From now on this rank makes rings to the other ranks of its host.
    void prepare(int ownRank, int rankCount, const MpiHost& host);

    /// Puts the packet into the ring to the rank. Returns false when it must go over MPI.
    bool put(int to, const IntBuffer& ints) {
        if (rings_.empty()) return false;
        Ring& ring = rings_[static_cast<std::size_t>(to)];
        if (ring.state == State::Open && ring.writer->put(ints.ints())) [[likely]]
            return true;
        return ring.state != State::None && putLater(to, ring, ints);
    }

    /// Keeps the place of a packet that goes over MPI. To be called directly before MPI gets the packet: no error may come in between.
    void mark(int to) noexcept;

    /// Gives up the ring to a rank that is lost.
    void forget(int rank) noexcept;

private:
    enum class State {
        None,       ///< there is no ring, and none will be made
        Wanted,     ///< a ring is made when some packets have been sent
        Offered,    ///< the receiver has not mapped the memory yet
        Open,
        Left,    ///< the receiver has not taken all that is in the ring
    };
    struct Ring {
        State state = State::None;
        unsigned packetCount = 0;    ///< while wanted
        SharedMemory memory{};
        std::optional<RingWriter> writer{};
    };

    bool putLater(int to, Ring& ring, const IntBuffer& ints);
    void offer(int to, Ring& ring);
    static void leave(Ring& ring) noexcept;

    const MpiRoads& roads_;
    MpiSends& sends_;
    std::vector<Ring> rings_;    ///< by rank; empty: there are none
    std::size_t ringCount_ = 0;
};

}    // namespace ferry::detail
