#include <ferry/connector/transport/MpiOffer.hpp>

#include <new>
#include <optional>
#include <utility>

#include <ferry/connector/transport/MpiBlockType.hpp>
#include <ferry/connector/transport/MpiCheck.hpp>

namespace ferry {

namespace {

/// Nothing when there is no memory.
std::optional<IntBuffer> copyOf(const IntBuffer::Loan& array) {
    try {
        IntBuffer copy;
        copy.resizeUninitialized(array.intCount);
        array.copyTo(reinterpret_cast<std::byte*>(copy.data()));
        return copy;
    } catch (const std::bad_alloc&) {
        return std::nullopt;
    }
}

void sendNow(const IntBuffer::Loan& array, int to, int tag, MPI_Comm communicator) {
    if (array.blocks != nullptr) {
        const MpiBlockType blocks(*array.blocks);
        checkMpi(MPI_Send(array.bytes, blocks.count(), blocks.type(), to, tag, communicator), "MPI_Send", communicator, to);
        return;
    }
    inMpiPieces(array.bytes, array.intCount, [&](const std::byte* bytes, int byteCount) {
        checkMpi(MPI_Send(bytes, byteCount, MPI_BYTE, to, tag, communicator), "MPI_Send", communicator, to);
    });
}

}    // namespace

/// Whatever happens, nothing is on offer afterwards.
class MpiOffer::End {
public:
    explicit End(MpiOffer& offer) : offer_(offer) {}
    End(const End&) = delete;
    End& operator=(const End&) = delete;
    ~End() {
        offer_.to_ = -1;
        offer_.ints_.clear();
    }

private:
    MpiOffer& offer_;
};

IntBuffer mpiNote(std::int32_t transfer) { return IntBuffer(std::span<const std::int32_t>(&transfer, 1)); }

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
    sends_.start(to, roads_.data, AnnouncementTag, std::move(announced));
    if (!isInside) sends_.start(to, roads_.large, transfer, IntBuffer(announcement.inside));
    to_ = to;
    transfer_ = transfer;
    ints_ = std::move(ints);
}

void MpiOffer::serve(int from, std::int32_t transfer) {
    if (!isOf(from, transfer)) return;
    const End end(*this);
    note(AcceptTag);
    for (const IntBuffer::Loan& array : ints_.loans()) sendNow(array, to_, transfer_, roads_.large);
}

void MpiOffer::close() {
    if (!isOpen()) return;
    const End end(*this);
    note(CopiedTag);
    for (const IntBuffer::Loan& array : ints_.loans()) {
        std::optional<IntBuffer> copy = copyOf(array);
        if (copy) {
            sends_.start(to_, roads_.large, transfer_, std::move(*copy));
        } else {
            sendNow(array, to_, transfer_, roads_.large);
        }
    }
}

void MpiOffer::note(MpiTag tag) { sends_.start(to_, roads_.data, tag, mpiNote(transfer_)); }

}    // namespace ferry
