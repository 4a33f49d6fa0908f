#include <ferry/connector/transport/mpi/MpiOffer.hpp>

#include <new>
#include <utility>

#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>

namespace ferry::detail {

/// Ends the offer at the end of the scope of this object, also when an exception leaves the scope.
class MpiOffer::End {
public:
    explicit End(MpiOffer& offer) : offer_(offer) {}
    End(const End&) = delete;
    End& operator=(const End&) = delete;
    ~End() {
        offer_.to_ = -1;
        offer_.ints_.clear();
        offer_.blocks_.clear();
        offer_.nextBlocks_ = 0;
    }

private:
    MpiOffer& offer_;
};

void sendMpiNote(MpiSends& sends, int to, MPI_Comm communicator, MpiTag tag, std::int32_t transfer) {
    try {
        sends.start(to, communicator, tag, IntBuffer(std::span<const std::int32_t>(&transfer, 1)));
    } catch (const std::bad_alloc&) {
        // MPI_Send of a few bytes returns at once.
        checkMpi(MPI_Send(&transfer, sizeof(transfer), MPI_BYTE, to, tag, communicator), "MPI_Send", communicator, to);
    }
}

void MpiOffer::open(int to, std::int32_t transfer, IntBuffer ints, std::size_t announcementInts) {
    Announcement announcement;
    announcement.packetInts = ints.size();
    announcement.transfer = transfer;
    announcement.inside = {ints.data(), ints.ownSize()};
    std::size_t borrowedBefore = 0;
    for (const IntBuffer::Loan& array : ints.loans()) {
        announcement.arrays.push_back({array.ownBefore + borrowedBefore, array.intCount});
        borrowedBefore += array.intCount;
    }
    IntBuffer announced;
    const bool isInside = announcement.write(announced, announcementInts);
    IntBuffer others = isInside ? IntBuffer() : IntBuffer(announcement.inside);
    const bool areOthersInPieces = others.ownSize() > mpiPieceInts;
    blocks_.clear();
    std::size_t sendCount = 2 + mpiPieceCount(others.ownSize());
    for (const IntBuffer::Loan& array : ints.loans()) {
        sendCount += mpiPieceCount(array.intCount);
        if (array.blocks != nullptr) blocks_.emplace_back(*array.blocks);
    }
    nextBlocks_ = 0;
    sends_.makeRoom(sendCount);
    if (areOthersInPieces) sends_.start(to, roads_.large, transfer, std::move(others));
    rings_.mark(to);
    sends_.start(to, roads_.data, AnnouncementTag, std::move(announced));
    if (!isInside && !areOthersInPieces) sends_.start(to, roads_.large, transfer, std::move(others));
    to_ = to;
    transfer_ = transfer;
    ints_ = std::move(ints);
}

void MpiOffer::sendHeld(int to, std::int32_t transfer, IntBuffer ints, std::size_t announcementInts,
                        const std::shared_ptr<const void>& holder) {
    open(to, transfer, std::move(ints), announcementInts);
    const End end(*this);
    note(CopiedTag);    // the receiver need not ask: the arrays come
    for (const IntBuffer::Loan& array : ints_.loans()) sends_.startHeld(to, roads_.large, transfer, array.bytes, array.intCount, holder);
}

void MpiOffer::serve(int from, std::int32_t transfer) {
    if (!isOf(from, transfer)) return;
    const End end(*this);
    note(AcceptTag);
    for (const IntBuffer::Loan& array : ints_.loans()) sendNow(array);
}

void MpiOffer::close() {
    if (!isOpen()) return;
    const End end(*this);
    note(CopiedTag);
    for (const IntBuffer::Loan& array : ints_.loans()) {
        if (isSentFromCopy(array)) {
            if (array.blocks != nullptr) ++nextBlocks_;
        } else {
            sendNow(array);
        }
    }
}

/// Sends the array from a copy. Returns false when there is no memory for the copy.
bool MpiOffer::isSentFromCopy(const IntBuffer::Loan& array) {
    try {
        IntBuffer copy;
        copy.resizeUninitialized(array.intCount);
        array.copyTo(reinterpret_cast<std::byte*>(copy.data()));
        sends_.start(to_, roads_.large, transfer_, std::move(copy));
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

void MpiOffer::sendNow(const IntBuffer::Loan& array) {
    if (array.blocks != nullptr) {
        const MpiBlockType& blocks = blocks_[nextBlocks_++];
        checkMpi(MPI_Send(array.bytes, blocks.count(), blocks.type(), to_, transfer_, roads_.large), "MPI_Send", roads_.large, to_);
        return;
    }
    inMpiPieces(array.bytes, array.intCount, [this](const std::byte* bytes, int byteCount) {
        checkMpi(MPI_Send(bytes, byteCount, MPI_BYTE, to_, transfer_, roads_.large), "MPI_Send", roads_.large, to_);
    });
}

}    // namespace ferry::detail
