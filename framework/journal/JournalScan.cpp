#include <ferry/framework/journal/JournalScan.hpp>

#include <algorithm>
#include <span>

#include <ferry/serialization/checkpoint/FileFormat.hpp>
#include <ferry/serialization/file/Checksum.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>

namespace ferry::detail {

namespace {

constexpr std::size_t intBytes = sizeof(std::int32_t);
constexpr std::size_t markInts = fileFormat::HeadInts + 2;    // the shortest chunk with a claim

void putInMemoryOrder(std::span<std::int32_t> ints) noexcept {
    if constexpr (isBigEndian) {
        for (std::int32_t& each : ints) each = inFileOrder(each);
    }
}

}    // namespace

std::optional<JournalScan::Claim> JournalScan::claimOf(std::uint64_t offset) {
    for (std::uint64_t place = offset + intBytes; place + markInts * intBytes <= byteCount(); place += intBytes) {
        if (window_.empty() || (place - windowOffset_) / intBytes + markInts > window_.size()) moveWindow(place);
        const auto ints = std::span(window_).subspan(static_cast<std::size_t>((place - windowOffset_) / intBytes), markInts);
        const auto intCount = static_cast<std::size_t>(static_cast<std::uint32_t>(ints[0]));
        if (intCount < 2 || intCount > fileFormat::MaxChunkInts || ints[1] != fileFormat::checkOf(ints.first(1), place)) continue;
        const std::uint64_t flushedBytes = fileFormat::joined(ints[4], ints[5]);
        if (flushedBytes <= offset || flushedBytes > place) continue;
        if (isWhole(place, intCount)) return Claim{place, flushedBytes};
    }
    return std::nullopt;
}

std::uint64_t JournalScan::byteCount() const noexcept { return file_.byteCount() / intBytes * intBytes; }

void JournalScan::moveWindow(std::uint64_t offset) {
    constexpr std::uint64_t mostInts = std::uint64_t{1} << 18;
    window_.resize(static_cast<std::size_t>(std::min(mostInts, (byteCount() - offset) / intBytes)));
    file_.readAt(offset, std::as_writable_bytes(std::span(window_)));
    putInMemoryOrder(window_);
    windowOffset_ = offset;
}

/// Whether the checksum of a chunk fits.
bool JournalScan::isWhole(std::uint64_t offset, std::size_t intCount) {
    const std::uint64_t chunkBytes = intCount * intBytes;
    const std::uint64_t first = offset + fileFormat::HeadInts * intBytes;
    if (chunkBytes > byteCount() - first) return false;
    // Chunks of a writer do not overlap. A file in which they do costs no more time, and counts as damaged.
    bytesCompared_ += chunkBytes;
    if (bytesCompared_ > 2 * byteCount()) return true;
    std::vector<std::int32_t> ints(fileFormat::HeadInts + intCount);
    file_.readAt(offset, std::as_writable_bytes(std::span(ints)));
    putInMemoryOrder(ints);
    return checksumOf(std::span(ints).subspan(fileFormat::HeadInts), offset) == fileFormat::joined(ints[2], ints[3]);
}

}    // namespace ferry::detail
