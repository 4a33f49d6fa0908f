#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <mpi.h>

namespace ferry::detail {

/// The communicators of a transport. Messages keep their order on each of them.
struct MpiRoads {
    MPI_Comm data = MPI_COMM_NULL;
    MPI_Comm control = MPI_COMM_NULL;
    MPI_Comm large = MPI_COMM_NULL;    ///< ints of packets that were announced on the data road; the tag is the number of the transfer
};

/// Tags on the data road.
enum MpiTag : int {
    PacketTag = 0,
    AnnouncementTag = 1,
    // The next tags carry one int, the number of the transfer.
    PullTag = 2,       ///< the receiver wants the arrays that were offered, and waits for the answer
    AcceptTag = 3,     ///< the sender's answer: the arrays come now, one after the other
    DeclineTag = 4,    ///< the receiver does not wait for the arrays
    CopiedTag = 5,     ///< the sender has gone on: the arrays come from copies
    // The next tags concern rings. RingOfferTag carries an address of memory, RingTag a number without meaning.
    RingOfferTag = 6,    ///< the sender has made a ring for packets to the receiver (RingMemory)
    RingTag = 7,         ///< later packets come by the ring
};

/// The number of different transfer numbers. The transfer numbers are tags, and MPI promises at least this many tags.
constexpr std::int32_t mpiTransferNumbers = 32768;

/// The largest number of rings to other ranks, and of rings from other ranks. A rank looks at each ring when it polls.
constexpr std::size_t mpiMostRings = 64;

/// The largest piece in ints: MPI counts in int.
constexpr std::size_t mpiPieceInts = std::size_t{1} << 28;

/// The number of pieces of at most 1 GiB in intCount ints.
constexpr std::size_t mpiPieceCount(std::size_t intCount) noexcept { return (intCount + mpiPieceInts - 1) / mpiPieceInts; }

/// Calls move(bytes, byteCount) for each piece of at most 1 GiB, in their order.
template <class Byte, class Move>
void inMpiPieces(Byte* bytes, std::size_t intCount, Move&& move) {
    while (intCount != 0) {
        const std::size_t now = std::min(mpiPieceInts, intCount);
        move(bytes, static_cast<int>(now * sizeof(std::int32_t)));
        bytes += now * sizeof(std::int32_t);
        intCount -= now;
    }
}

}    // namespace ferry::detail
