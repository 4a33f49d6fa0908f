#include <ferry/serialization/ints/IntReader.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/serialization/ints/Shares.hpp>

namespace ferry {

namespace detail {

void DeleteReadShares::operator()(ReadShares* shares) const noexcept { std::default_delete<ReadShares>()(shares); }

}    // namespace detail

// Leaves the reader's position unchanged. `next` moves past the count.
std::size_t IntReader::readAnyCount(const std::int32_t*& next) const {
    if (next == end_) failTooShort(1);
    const std::int32_t first = *next++;
    if (first >= 0) return static_cast<std::size_t>(first);
    if (first != -1) failAt(next - 1, "a count", first);
    if (end_ - next < 2) failTooShort(3);
    std::uint64_t count = 0;
    detail::getElements<8>(&count, next, sizeof(count));
    next += 2;
    if (count <= 0x7fffffff) failAt(next - 3, "a count of at least 2^31 in its long form", static_cast<std::int64_t>(count));
    return count;
}

std::size_t IntReader::emptyElementsLeft() const noexcept {
    const std::size_t most = ReadLimits::emptyElements(account_.messageInts);
    return most > account_.emptyElements ? most - account_.emptyElements : 0;
}

void IntReader::failEmptyElements() const {
    fail(fmt::format("elements that take no int of at most {} bytes in all", emptyBytesAllowed()),
         fmt::format("{} bytes", account_.emptyBytes));
}

/// Restores the position after a failed read, so that another read can start at the same place.
void IntReader::undo(const std::int32_t* start, std::size_t shareCount) noexcept {
    cursor_ = start;
    if (shareCount_ != shareCount) shares_->truncate(shareCount);
    shareCount_ = shareCount;
}

std::size_t IntReader::readUnusualCount(std::size_t intsPerElement) {
    const std::int32_t* next = cursor_;
    const std::size_t count = readAnyCount(next);
    const auto left = static_cast<std::size_t>(end_ - next);
    const std::size_t most = intsPerElement != 0 ? left / intsPerElement : emptyElementsLeft();
    if (count > most) fail(fmt::format("a count of at most {}", most), fmt::format("{}", count));
    if (intsPerElement == 0) account_.emptyElements += count;
    cursor_ = next;
    return count;
}

std::size_t IntReader::readUnusualPackedCount(std::size_t bitsPerElement) {
    const std::int32_t* next = cursor_;
    const std::size_t count = readAnyCount(next);
    const std::size_t most = static_cast<std::size_t>(end_ - next) * 32 / bitsPerElement;
    if (count > most) fail(fmt::format("a count of at most {}", most), fmt::format("{}", count));
    cursor_ = next;
    return count;
}

void IntReader::requireAbsent(const std::int32_t* place, std::size_t intCount) const {
    const std::size_t expected = absent_->intCountAt(place);
    if (intCount != expected) failAt(place, fmt::format("an array of {} whole ints", expected), static_cast<std::int64_t>(intCount));
}

void IntReader::fetchAbsent(const std::int32_t* place, std::byte* firstElement, const detail::BlockLayout& blocks) {
    requireAbsent(place, blocks.intCount());
    absent_->fetch(place, firstElement, blocks);
}

void IntReader::fetchAbsent(const std::int32_t* place, void* bytes, std::size_t byteCount) {
    const std::size_t intCount = byteCount / sizeof(std::int32_t);
    requireAbsent(place, intCount);
    auto* target = static_cast<std::byte*>(bytes);
    absent_->fetch(place, target);
    const std::size_t wholeBytes = intCount * sizeof(std::int32_t);
    std::memcpy(target + wholeBytes, place + intCount, byteCount - wholeBytes);
}

void IntReader::failPacked(std::size_t count, std::size_t bitsPerElement) const {
    fail(fmt::format("a count of at most {}", remaining() * 32 / bitsPerElement), fmt::format("{}", count));
}

void IntReader::fail(std::string_view expected, std::string_view found) const {
    detail::failReading(fmt::format("expected {}, found {}", expected, found), position());
}

void IntReader::failAt(const std::int32_t* where, std::string_view expected, std::int64_t found) const {
    detail::failReading(fmt::format("expected {}, found {}", expected, found), static_cast<std::size_t>(where - begin_));
}

void IntReader::failTooShort(std::size_t neededInts) const {
    detail::failReading(fmt::format("expected {} more {}, found {}", neededInts, neededInts == 1 ? "int" : "ints", remaining()),
                        position());
}

void IntReader::failNotAtEnd() const {
    detail::failReading(fmt::format("expected the end, found {} more {}", remaining(), remaining() == 1 ? "int" : "ints"), position());
}

void IntReader::failBody() const { failAt(cursor_ - 1, fmt::format("a number of ints from 0 to {}", remaining()), cursor_[-1]); }

void IntReader::failVersionEnd(const std::int32_t* cursor, const std::int32_t* objectEnd, std::int32_t version) {
    moveTo(std::min(cursor, objectEnd));
    fail(fmt::format("the end of an object of version {}", version),
         cursor < objectEnd ? fmt::format("{} more ints", objectEnd - cursor) : "fields that go on behind it");
}

void IntReader::skipToEnd(std::int32_t version, std::int32_t ownVersion) {
    if (version <= ownVersion) {
        fail(fmt::format("the end of an object of version {}", version), fmt::format("{} more ints", remaining()));
    }
    cursor_ = end_;
    hasSkipped_ = true;
    shares().noteSkipped();
}

void IntReader::failTooDeep() const {
    detail::failReading(fmt::format("expected objects nested at most {} deep, found more", limits_->depth), position());
}

void IntReader::failOverLimit() const {
    detail::failReading(fmt::format("expected containers of at most {} elements and {} bytes in all, found {} and {}", limits_->elements,
                                    limits_->bytes, account_.elements, account_.bytes),
                        position());
}

void IntReader::requireRoomAllowed() const {
    const std::uint64_t messageBytes = account_.messageInts * sizeof(std::int32_t);
    std::uint64_t allowed = 0;
    if (__builtin_mul_overflow(limits_->memoryPerByte, messageBytes, &allowed) ||
        __builtin_add_overflow(allowed, limits_->memoryBase, &allowed) || account_.roomyBytes <= allowed) {
        return;
    }
    detail::failReading(fmt::format("expected elements and objects that need at most {} bytes of memory ({} for each byte of the "
                                    "message, and {} more), found {} bytes: raise ferry::ReadLimits::memoryPerByte or memoryBase, "
                                    "for messages and files with ferry::ReadLimits::setDefault",
                                    allowed, limits_->memoryPerByte, limits_->memoryBase, account_.roomyBytes),
                        position());
}

namespace detail {

void chargeObject(IntReader& in, std::size_t bytes) { in.chargeRoomy(1, bytes); }

}    // namespace detail

detail::ReadShares& IntReader::shares() {
    if (shares_ == nullptr) shares_.reset(std::make_unique<detail::ReadShares>().release());
    return *shares_;
}

}    // namespace ferry
