#include <ferry/serialization/ints/IntWriter.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ferry/serialization/ints/Shares.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry {

namespace detail {

void DeleteWrittenShares::operator()(WrittenShares* shares) const noexcept { std::default_delete<WrittenShares>()(shares); }

}    // namespace detail

void IntWriter::grow(std::size_t intCount) {
    const std::size_t used = ownPosition();
    finish();
    constexpr std::size_t FirstCapacityInts = 64;
    if (countsOnly_) {
        constexpr std::size_t RoomInts = 1024;
        buffer_.reserve(std::max(intCount, RoomInts));
        cursor_ = buffer_.data();
        end_ = buffer_.data() + buffer_.capacity();
        borrowedInts_ += used;
        return;
    }
    buffer_.reserve(std::max({used + intCount, 2 * buffer_.capacity(), FirstCapacityInts}));
    cursor_ = buffer_.data() + used;
    end_ = buffer_.data() + buffer_.capacity();
}

void IntWriter::writeLongCount(std::size_t count) {
    writeInt(-1);
    writeInt64(static_cast<std::int64_t>(count));
}

void IntWriter::writeLargeArray(std::size_t count, const void* bytes, std::size_t byteCount) {
    writeCount(count);
    if (byteCount >= borrowFromBytes_) {
        borrowElements(bytes, byteCount);
    } else {
        writeBytes(bytes, byteCount);
    }
}

void IntWriter::borrowElements(const void* bytes, std::size_t byteCount) {
    const auto* begin = static_cast<const std::byte*>(bytes);
    const std::size_t wholeInts = byteCount / sizeof(std::int32_t);
    const std::size_t borrowedBytes = wholeInts * sizeof(std::int32_t);
    if (!countsOnly_) {
        finish();
        buffer_.borrow(begin, wholeInts);
    }
    borrowedInts_ += wholeInts;
    writeBytes(begin + borrowedBytes, byteCount - borrowedBytes);
}

bool IntWriter::borrowBlocks(const std::byte* firstElement, detail::BlockLayout blocks) {
    if (countsOnly_) {
        borrowedInts_ += blocks.intCount();
        return true;
    }
    if (blocks.bytesPerRun() < borrowBlocksFromBytes_ || blocks.byteCount() > detail::LendingSizes::mostBytesInBlocks) return false;
    const std::size_t intCount = blocks.intCount();
    finish();
    buffer_.borrow(firstElement, std::move(blocks));
    borrowedInts_ += intCount;
    return true;
}

void IntWriter::failVersion(std::int32_t version) { detail::failUsage(fmt::format("versions are counted from 1, not {}", version)); }

void IntWriter::failVersionedSize(std::size_t bodyInts) {
    detail::failUsage(fmt::format("an object with a version may take 2147483647 ints, not {}", bodyInts));
}

void IntWriter::failTooDeep() const {
    detail::failUsage(
        fmt::format("objects are nested deeper than {} levels: send them with ferry::graph, or raise the limit with setMaxDepth "
                    "here and ReadLimits::depth at the reader",
                    maxDepth_));
}

void IntWriter::checkEmptyElements() const {
    const std::size_t intCount = position() - startPosition_;
    const std::size_t mostElements = ReadLimits::emptyElements(intCount);
    const std::size_t mostBytes = ReadLimits::emptyBytes(intCount);
    if (emptyElements_ <= mostElements && emptyBytes_ <= mostBytes) return;
    detail::failUsage(fmt::format(
        "too many elements that take no ints: in {1} ints readers accept {0} elements of {2} bytes in memory, found {3} of {4} bytes",
        mostElements, intCount, mostBytes, emptyElements_, emptyBytes_));
}

detail::WrittenShares& IntWriter::shares() {
    if (shares_ == nullptr) shares_.reset(std::make_unique<detail::WrittenShares>().release());
    return *shares_;
}

}    // namespace ferry
