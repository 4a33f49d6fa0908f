#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include <ferry/connector/transport/Announcement.hpp>
#include <ferry/connector/transport/mpi/MpiRingsOut.hpp>
#include <ferry/connector/transport/mpi/MpiSends.hpp>
#include <ferry/connector/transport/mpi/calls/MpiBlockType.hpp>
#include <ferry/connector/transport/mpi/calls/MpiLarge.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>

namespace ferry::detail {

/// Sends one int, for the tags that carry only the number of a transfer. The receiver waits for the int, so it is sent without memory too.
void sendMpiNote(MpiSends& sends, int to, MPI_Comm communicator, MpiTag tag, std::int32_t transfer);

/// The arrays that a rank offers at the moment, at most those of one packet.
///
/// Ownership: owns the packet. Its borrowed arrays must stay until the offer is over. Errors: MpiError.
class MpiOffer {
public:
    MpiOffer(const MpiRoads& roads, MpiSends& sends, MpiRingsOut& rings) : roads_(roads), sends_(sends), rings_(rings) {}

    bool isOpen() const noexcept { return to_ >= 0; }
    int receiver() const noexcept { return to_; }

    /// Announces the packet under this number, in at most announcementInts ints. No offer may be open. All memory for the end of the offer
    /// is allocated here. After a std::bad_alloc nothing was sent.
    void open(int to, std::int32_t transfer, IntBuffer ints, std::size_t announcementInts);

    /// Sends the packet at once, and its arrays from their place. No offer may be open, and no array may lie in blocks. Each send keeps the
    /// holder until it is done. After a std::bad_alloc nothing was sent.
    void sendHeld(int to, std::int32_t transfer, IntBuffer ints, std::size_t announcementInts, const std::shared_ptr<const void>& holder);

    /// Called when the receiver wants the arrays and waits for them. Returns when the receiver has them. Does nothing when that offer is
    /// over.
    void serve(int from, std::int32_t transfer);

    /// Called when the receiver does not wait for the arrays.
    void decline(int from, std::int32_t transfer) {
        if (isOf(from, transfer)) close();
    }

    /// Sends everything that is still on offer from copies. Where there is no memory for a copy, the call waits for the receiver.
    void close();

private:
    bool isOf(int from, std::int32_t transfer) const noexcept { return isOpen() && from == to_ && transfer == transfer_; }
    void note(MpiTag tag) { sendMpiNote(sends_, to_, roads_.data, tag, transfer_); }
    bool isSentFromCopy(const IntBuffer::Loan& array);
    void sendNow(const IntBuffer::Loan& array);
    class End;

    const MpiRoads& roads_;
    MpiSends& sends_;
    MpiRingsOut& rings_;
    int to_ = -1;
    std::int32_t transfer_ = 0;
    IntBuffer ints_;                       ///< the loans of these ints are the arrays
    std::deque<MpiBlockType> blocks_{};    ///< the datatypes of the loans that lie in blocks, in their order
    std::size_t nextBlocks_ = 0;           ///< index of the datatype of the array that is sent next, if that array lies in blocks
};

}    // namespace ferry::detail
