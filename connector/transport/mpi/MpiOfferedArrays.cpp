#include <ferry/connector/transport/mpi/MpiOfferedArrays.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ferry/connector/transport/mpi/calls/MpiBlockType.hpp>
#include <ferry/connector/transport/mpi/calls/MpiCheck.hpp>
#include <ferry/connector/transport/mpi/calls/MpiDropType.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/ints/LendingSizes.hpp>

namespace ferry::detail {

MpiOfferedArrays::~MpiOfferedArrays() {
    if (!isOpen_) return;
    try {
        while (!areAllFetched()) dropNext();    // the sender stays in its call until the arrays have left
    } catch (...) {
        // MPI has failed. The next call on this road reports that.
    }
}

std::size_t MpiOfferedArrays::find(const std::int32_t* place) const {
    const auto offset = static_cast<std::size_t>(place - ints_);
    const auto array = std::find_if(arrays_.begin() + static_cast<std::ptrdiff_t>(next_), arrays_.end(),
                                    [offset](const Announcement::Array& each) { return each.place == offset; });
    return static_cast<std::size_t>(array - arrays_.begin());
}

bool MpiOfferedArrays::isAt(const std::int32_t* place) const noexcept { return find(place) != arrays_.size(); }

std::size_t MpiOfferedArrays::intCountAt(const std::int32_t* place) const { return arrays_.at(find(place)).intCount; }

void MpiOfferedArrays::fetch(const std::int32_t* place, std::byte* target) {
    dropUpTo(place);
    receiveNext(target);
}

void MpiOfferedArrays::fetch(const std::int32_t* place, std::byte* firstElement, const BlockLayout& blocks) {
    dropUpTo(place);
    if (blocks.byteCount() > LendingSizes::mostBytesInBlocks) {
        throw SerializationError(fmt::format("expected an array of at most {} bytes that belongs into blocks, found {}",
                                             LendingSizes::mostBytesInBlocks, blocks.byteCount()));
    }
    const MpiBlockType elements(blocks);
    ++next_;
    receive(firstElement, elements.count(), elements.type(), static_cast<int>(blocks.byteCount()));
}

/// Drops the arrays before this place. They belong to fields of a newer version, which the reader has skipped.
void MpiOfferedArrays::dropUpTo(const std::int32_t* place) {
    const std::size_t wanted = find(place);
    while (next_ < wanted) dropNext();
}

void MpiOfferedArrays::receiveNext(std::byte* target) {
    const Announcement::Array& array = arrays_.at(next_);
    ++next_;
    inMpiPieces(target, array.intCount, [this](std::byte* bytes, int byteCount) { receive(bytes, byteCount, MPI_BYTE, byteCount); });
}

void MpiOfferedArrays::receive(std::byte* target, int count, MPI_Datatype type, int byteCount) {
    MPI_Status status;
    int received = 0;
    checkMpi(MPI_Recv(target, count, type, from_, transfer_, roads_.large, &status), "MPI_Recv", roads_.large, from_);
    checkMpi(MPI_Get_count(&status, MPI_BYTE, &received), "MPI_Get_count");
    if (received != byteCount) throw SerializationError(fmt::format("expected {} bytes of an array, found {}", byteCount, received));
}

void MpiOfferedArrays::dropNext() {
    std::array<std::byte, MpiDropType::roomBytes> room;
    std::size_t intsLeft = arrays_.at(next_).intCount;
    ++next_;
    while (intsLeft != 0) {
        const std::size_t now = std::min(mpiPieceInts, intsLeft);
        const int byteCount = static_cast<int>(now * sizeof(std::int32_t));
        const MpiDropType dropped(0, byteCount);
        receive(room.data(), 1, dropped.type(), byteCount);
        intsLeft -= now;
    }
}

}    // namespace ferry::detail
