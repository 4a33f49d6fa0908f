#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include <ferry/serialization/ints/AbsentArrays.hpp>
#include <ferry/serialization/ints/IntWriter.hpp>
#include <ferry/serialization/ints/ObjectFactory.hpp>
#include <ferry/serialization/ints/ReadLimits.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>
#include <ferry/serialization/ints/fail.hpp>

namespace ferry {

class IntReader;

namespace detail {

class ReadShares;
class ReferenceReader;

struct DeleteReadShares {
    void operator()(ReadShares* shares) const noexcept;
};

template <class T>
void readValue(IntReader& in, T& value);

/// The costs of a message, as far as it has been read. The limits hold for the whole message, also where its parts have readers of their
/// own.
struct ReadAccount {
    std::size_t messageInts = 0;      ///< ints of the message, which justify memory
    std::size_t emptyElements = 0;    ///< counted by readCount(0)
    std::size_t emptyBytes = 0;       ///< counted by chargeEmpty
    std::uint64_t elements = 0;       ///< counted by charge
    std::uint64_t bytes = 0;          ///< counted by charge
    std::uint64_t roomyBytes = 0;     ///< counted by chargeRoomy
};

}    // namespace detail

/// Reads values from a borrowed sequence of 32-bit ints, front to back. Safe on any input.
///
/// Ownership: borrows the ints and the factory, which must outlive the reader.
/// Threads: one reader per thread.
/// Errors: SerializationError for any unexpected input. The position then stays before the value. The error says where in the value the
///         problem is. The target holds a part of the data: throw it away.
class IntReader {
public:
    /// A reader with the limits of the process (ReadLimits::getDefault). They are not copied: each message has a reader of its own.
    explicit IntReader(std::span<const std::int32_t> ints, const ObjectFactory& factory = ObjectFactory::global())
        : IntReader(ints, factory, detail::defaultReadLimits, detail::defaultLimitNear < ints.size()) {}
    /// A reader with limits of its own. The reader copies them.
    IntReader(std::span<const std::int32_t> ints, const ObjectFactory& factory, const ReadLimits& limits)
        : IntReader(ints, factory, limits, detail::limitNear(limits) < ints.size()) {
        limits_ = ::new (static_cast<void*>(&ownLimits_)) ReadLimits(limits);
    }
    IntReader(const IntReader&) = delete;
    IntReader& operator=(const IntReader&) = delete;

    template <class T>
    IntReader& operator>>(T& value) {
        const std::int32_t* start = cursor_;
        const std::size_t shareCount = shareCount_;
        try {
            detail::readValue(*this, value);
        } catch (...) {
            undo(start, shareCount);
            throw;
        }
        return *this;
    }

    std::int32_t readInt() { return *take(1); }
    std::int64_t readInt64() {
        std::int64_t value;
        detail::getElements<8>(&value, take(2), sizeof(value));
        return value;
    }
    /// Reads a number of elements, each of which takes at least intsPerElement ints. Errors: SerializationError when the elements cannot
    /// all be in the remaining ints. intsPerElement 0: elements may take no int. The message may then have, in all, as many such elements
    /// as it has ints, plus 65536.
    std::size_t readCount(std::size_t intsPerElement) {
        const std::int32_t* cursor = cursor_;
        const std::size_t count = readCountAt(cursor, intsPerElement);
        cursor_ = cursor;
        return count;
    }
    /// Reads a number written with writeCount that announces no elements.
    std::size_t readPlainCount() {
        const std::int32_t* next = cursor_;
        const std::size_t count = readAnyCount(next);
        cursor_ = next;
        return count;
    }
    /// Reads a number of packed elements of bitsPerElement bits each. Errors: SerializationError when the elements cannot all be in the
    /// remaining ints.
    std::size_t readPackedCount(std::size_t bitsPerElement) {
        const std::int32_t* cursor = cursor_;
        const std::size_t count = readPackedCountAt(cursor, bitsPerElement);
        cursor_ = cursor;
        return count;
    }
    /// Throws SerializationError when `count` packed elements cannot be in the remaining ints.
    void requirePacked(std::size_t count, std::size_t bitsPerElement) const {
        if (count > remaining() * 32 / bitsPerElement) [[unlikely]] {
            failPacked(count, bitsPerElement);
        }
    }
    void readInts(std::span<std::int32_t> ints) { readBytes<4>(ints.data(), ints.size_bytes()); }
    /// Reads what writeBytes has written.
    template <std::size_t GrainBytes = 1>
    void readBytes(void* bytes, std::size_t byteCount) {
        if (byteCount == 0) return;
        const std::int32_t* source = take(byteCount / 4 + (byteCount % 4 != 0));
        if (isAbsent(source)) [[unlikely]] {
            fetchAbsent(source, bytes, byteCount);
        } else {
            detail::getElements<GrainBytes>(bytes, source, byteCount);
        }
    }
    /// Whether the array at this place is absent, so that its ints have no meaning: see fetchAbsent().
    bool isAbsent(const std::int32_t* place) const noexcept { return absent_ != nullptr && absent_->isAt(place); }
    /// Brings an absent array to its target. Errors: SerializationError when the array has another size; the errors of AbsentArrays::fetch.
    void fetchAbsent(const std::int32_t* place, void* bytes, std::size_t byteCount);
    /// Brings an absent array to blocks, otherwise like the function above.
    void fetchAbsent(const std::int32_t* place, std::byte* firstElement, const detail::BlockLayout& blocks);
    /// Sets the arrays that are not among the ints. The object must outlive the reader. Null: all arrays are among the ints.
    void setAbsent(detail::AbsentArrays* absent) noexcept { absent_ = absent; }

    /// Returns the next intCount ints and moves past them.
    const std::int32_t* take(std::size_t intCount) {
        if (intCount > remaining()) [[unlikely]] {
            failTooShort(intCount);
        }
        const std::int32_t* taken = cursor_;
        cursor_ += intCount;
        return taken;
    }
    /// Returns the next int and does not move past it.
    std::int32_t peekInt() const {
        if (cursor_ == end_) [[unlikely]] {
            failTooShort(1);
        }
        return *cursor_;
    }

    // For codecs that read much: the position as a local value, which the compiler keeps in a register. The reader's own position then lags
    // behind, and moveTo() updates it. The functions that take such a cursor move it past the ints that they read.
    const std::int32_t* cursor() const noexcept { return cursor_; }
    void moveTo(const std::int32_t* cursor) noexcept { cursor_ = cursor; }
    std::size_t remainingAt(const std::int32_t* cursor) const noexcept { return static_cast<std::size_t>(end_ - cursor); }
    const std::int32_t* takeAt(const std::int32_t*& cursor, std::size_t intCount) {
        if (intCount > remainingAt(cursor)) [[unlikely]] {
            moveTo(cursor);
            failTooShort(intCount);
        }
        return std::exchange(cursor, cursor + intCount);
    }
    /// Steps over the head of an object that a writer of the same version has written, and returns the end of the object. Returns null for
    /// any other object and leaves the cursor in place. readVersioned then handles that object.
    const std::int32_t* beginSameVersionAt(const std::int32_t*& cursor, std::int32_t ownVersion) const {
        if (remainingAt(cursor) < 2 || cursor[0] != ownVersion || cursor[1] < 0) [[unlikely]] {
            return nullptr;
        }
        const auto bodyInts = static_cast<std::size_t>(cursor[1]);
        if (bodyInts > remainingAt(cursor) - 2) [[unlikely]] {
            return nullptr;
        }
        cursor += 2;
        return cursor + bodyInts;
    }
    /// Throws SerializationError: the fields of an object of this reader's version do not end where the object ends.
    [[noreturn]] void failVersionEnd(const std::int32_t* cursor, const std::int32_t* objectEnd, std::int32_t version);
    std::size_t readCountAt(const std::int32_t*& cursor, std::size_t intsPerElement) {
        if (cursor != end_ && *cursor >= 0 && intsPerElement != 0) [[likely]] {
            const auto count = static_cast<std::size_t>(*cursor);
            if (count * intsPerElement < remainingAt(cursor)) [[likely]] {
                ++cursor;
                return count;
            }
        }
        moveTo(cursor);
        const std::size_t count = readUnusualCount(intsPerElement);
        cursor = cursor_;
        return count;
    }
    std::size_t readPackedCountAt(const std::int32_t*& cursor, std::size_t bitsPerElement) {
        if (cursor != end_ && *cursor >= 0) [[likely]] {
            const auto count = static_cast<std::size_t>(*cursor);
            if ((count * bitsPerElement + 31) / 32 < remainingAt(cursor)) [[likely]] {
                ++cursor;
                return count;
            }
        }
        moveTo(cursor);
        const std::size_t count = readUnusualPackedCount(bitsPerElement);
        cursor = cursor_;
        return count;
    }

    /// Number of ints not yet read.
    std::size_t remaining() const noexcept { return static_cast<std::size_t>(end_ - cursor_); }
    /// Number of ints read.
    std::size_t position() const noexcept { return static_cast<std::size_t>(cursor_ - begin_); }
    /// Throws SerializationError when ints are left over.
    void expectEnd() const {
        if (cursor_ != end_) [[unlikely]] {
            failNotAtEnd();
        }
    }

    /// Reads what IntWriter::writeVersioned wrote. read(version) gets the version of the writer and sees the ints of this object only. Ints
    /// that a newer writer has appended are skipped. For an older writer's object, read() takes the ints that are there (see remaining()).
    /// For an object of the same version, read() takes all ints.
    template <class Read>
    void readVersioned(std::int32_t ownVersion, Read&& read) {
        const VersionedPart part(*this);
        read(part.version());
        part.end(ownVersion);
    }

    const ObjectFactory& factory() const noexcept { return factory_; }
    const ReadLimits& limits() const noexcept { return *limits_; }

    /// Adds elements that are about to be made to the totals. Errors: SerializationError when a total exceeds its limit.
    void charge(std::size_t elementCount, std::size_t bytesPerElement) {
        account_.elements += elementCount;
        account_.bytes += std::uint64_t{elementCount} * bytesPerElement;
        if (account_.elements > limits_->elements || account_.bytes > limits_->bytes) [[unlikely]] {
            failOverLimit();
        }
    }
    /// Like charge(), for packed elements, which take no more memory than their ints. Packed elements are counted only if the message is
    /// large enough to matter.
    void chargePacked(std::size_t elementCount, std::size_t bytesPerElement) {
        if (isLimitNear_) [[unlikely]] {
            charge(elementCount, bytesPerElement);
        }
    }

    /// Adds the memory of roomy elements or objects that are about to be made (ReadLimits::memoryPerByte).
    void chargeRoomy(std::size_t count, std::size_t bytes) {
        account_.roomyBytes += std::uint64_t{count} * bytes;
        if (account_.roomyBytes > limits_->memoryBase) [[unlikely]] {
            requireRoomAllowed();
        }
    }

    /// Both throw SerializationError: fail() at the current position, failAt() at an int that was read before.
    [[noreturn]] void fail(std::string_view expected, std::string_view found) const;
    [[noreturn]] void failAt(const std::int32_t* where, std::string_view expected, std::int64_t found) const;
    /// Throws SerializationError: neededInts ints were expected and are not there.
    [[noreturn]] void failTooShort(std::size_t neededInts) const;
    /// Goes back to an earlier position, in ints from the start.
    void rewind(std::size_t position) noexcept { cursor_ = begin_ + position; }

    /// Number of objects that are being read, each inside the previous one.
    std::size_t depth() const noexcept { return depth_; }

    /// Counts one level of nesting during its lifetime.
    class Nesting {
    public:
        explicit Nesting(IntReader& in) : in_(in) {
            if (in.depth_ == in.limits_->depth) [[unlikely]] {
                in.failTooDeep();
            }
            ++in.depth_;
        }
        ~Nesting() { --in_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        IntReader& in_;
    };

    /// During its lifetime, the reader keeps ints back for the elements of a container that are still to come. Without this, the containers
    /// inside an element could count on the same ints again, and memory would grow with the depth of a message.
    class KeptBack {
    public:
        /// Errors: SerializationError when the elements cannot all be in the remaining ints.
        KeptBack(IntReader& in, std::size_t count, std::size_t intsPerElement)
            : in_(in),
              outerEnd_(in.end_),
              intsPerElement_(intsPerElement) {
            if (count * intsPerElement > in.remaining()) [[unlikely]] {
                in.failTooShort(count * intsPerElement);
            }
            in.end_ -= count * intsPerElement;
        }
        ~KeptBack() { in_.end_ = outerEnd_; }
        KeptBack(const KeptBack&) = delete;
        KeptBack& operator=(const KeptBack&) = delete;

        /// To be called before each element is read.
        void release() noexcept { in_.end_ += intsPerElement_; }

    private:
        IntReader& in_;
        const std::int32_t* outerEnd_;
        std::size_t intsPerElement_;
    };

    /// Whether fields of a newer version were skipped.
    bool hasSkipped() const noexcept { return hasSkipped_; }

    /// The state of the pointers inside a graph. Null outside of a graph.
    detail::ReferenceReader* references() const noexcept { return references_; }
    /// The references must outlive the reader.
    void setReferences(detail::ReferenceReader* references) noexcept { references_ = references; }

    /// The shared objects that this reader has made.
    detail::ReadShares& shares();
    /// Notes that a shared object was added to shares().
    void countShare() noexcept { ++shareCount_; }

    /// The costs so far. The reader of a part of this message goes on with them, and gives them back.
    const detail::ReadAccount& account() const noexcept { return account_; }
    void setAccount(const detail::ReadAccount& account) noexcept {
        account_ = account;
        isLimitNear_ = isLimitNear_ || detail::limitNear(*limits_) < account.messageInts;
    }

    /// Counts an element that took no int, so that no int of the message justifies its memory. All such elements together may take 64 KiB
    /// of memory, plus eight bytes for each byte of the message.
    void chargeEmpty(std::size_t bytes) { chargeEmpty(1, bytes); }
    void chargeEmpty(std::size_t count, std::size_t bytes) {
        if (count > emptyBytesAllowed()) [[unlikely]] {
            failEmptyElements();
        }
        account_.emptyBytes += count * bytes;
        if (account_.emptyBytes > emptyBytesAllowed()) [[unlikely]] {
            failEmptyElements();
        }
    }

private:
    IntReader(std::span<const std::int32_t> ints, const ObjectFactory& factory, const ReadLimits& limits, bool isLimitNear)
        : begin_(ints.data()),
          cursor_(ints.data()),
          end_(ints.data() + ints.size()),
          factory_(factory),
          limits_(&limits),
          isLimitNear_(isLimitNear) {
        account_.messageInts = ints.size();
    }

    void requireAbsent(const std::int32_t* place, std::size_t intCount) const;

    /// During its lifetime, the reader ends where the versioned object ends.
    class VersionedPart {
    public:
        explicit VersionedPart(IntReader& in) : in_(in), outerEnd_(in.end_), version_(in.readVersion()) {
            const auto bodyInts = static_cast<std::size_t>(in.readInt());
            if (bodyInts > in.remaining()) [[unlikely]] {
                in.failBody();
            }
            in.end_ = in.cursor_ + bodyInts;
        }
        ~VersionedPart() { in_.end_ = outerEnd_; }
        VersionedPart(const VersionedPart&) = delete;
        VersionedPart& operator=(const VersionedPart&) = delete;

        std::int32_t version() const noexcept { return version_; }
        void end(std::int32_t ownVersion) const {
            if (in_.cursor_ != in_.end_) [[unlikely]] {
                in_.skipToEnd(version_, ownVersion);
            }
        }

    private:
        IntReader& in_;
        const std::int32_t* outerEnd_;
        std::int32_t version_;
    };

    std::int32_t readVersion() {
        const std::int32_t version = readInt();
        if (version < 1) [[unlikely]] {
            failAt(cursor_ - 1, "a version from 1 on", version);
        }
        return version;
    }
    [[noreturn]] void failBody() const;
    void skipToEnd(std::int32_t version, std::int32_t ownVersion);

    [[noreturn]] void failNotAtEnd() const;
    [[noreturn]] void failTooDeep() const;
    [[noreturn]] void failOverLimit() const;
    void requireRoomAllowed() const;
    std::size_t readUnusualCount(std::size_t intsPerElement);
    std::size_t readUnusualPackedCount(std::size_t bitsPerElement);
    std::size_t emptyElementsLeft() const noexcept;
    std::size_t emptyBytesAllowed() const noexcept { return ReadLimits::emptyBytes(account_.messageInts); }
    [[noreturn]] void failEmptyElements() const;
    [[noreturn]] void failPacked(std::size_t count, std::size_t bitsPerElement) const;
    void undo(const std::int32_t* start, std::size_t shareCount) noexcept;
    std::size_t readAnyCount(const std::int32_t*& next) const;

    const std::int32_t* begin_;
    const std::int32_t* cursor_;
    const std::int32_t* end_;    // of the part that may be read now
    const ObjectFactory& factory_;
    const ReadLimits* limits_;    // the default, or ownLimits_
    union {
        ReadLimits ownLimits_;    // made only by a reader with limits of its own
    };
    bool isLimitNear_;    // false: packed elements reach at most 1/32 of the limits
    std::size_t depth_ = 0;
    detail::ReadAccount account_;
    std::size_t shareCount_ = 0;
    bool hasSkipped_ = false;
    detail::ReferenceReader* references_ = nullptr;
    detail::AbsentArrays* absent_ = nullptr;
    detail::SoleOwner<detail::ReadShares, detail::DeleteReadShares> shares_;    // made for the first shared_ptr
};

}    // namespace ferry
