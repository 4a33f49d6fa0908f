#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include <ferry/serialization/ints/ByteOrder.hpp>
#include <ferry/serialization/ints/IntBuffer.hpp>
#include <ferry/serialization/ints/LendingSizes.hpp>
#include <ferry/serialization/ints/ReadLimits.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry {

/// Defines how values of type T become ints and come back. <ferry/serialization/Codec.hpp> defines it for the standard types, classes with
/// FERRY_FIELDS and many more. Specialise it for a type that you cannot change:
///
///     template <> struct ferry::Codec<Colour> {
///         static void write(IntWriter& out, const Colour& colour) { out << colour.rgba(); }
///         static void read(IntReader& in, Colour& colour) { ... }
///     };
template <class T>
struct Codec;

class IntWriter;

namespace detail {

class ReferenceWriter;
class WrittenShares;

struct DeleteWrittenShares {
    void operator()(WrittenShares* shares) const noexcept;
};

template <class T>
void writeValue(IntWriter& out, const T& value);

}    // namespace detail

/// Appends values to a buffer of ints.
///
/// Ownership: borrows the buffer, which must not be used by others until finish() or the destructor has set its size.
/// Threads: one writer per thread.
/// Errors: std::bad_alloc; UsageError for values that cannot travel. The buffer then holds a part of the value. Clear the buffer and make
///         another writer.
class IntWriter {
public:
    explicit IntWriter(IntBuffer& buffer) noexcept
        : buffer_(buffer),
          cursor_(buffer.data() + buffer.ownSize()),
          end_(buffer.data() + buffer.capacity()),
          borrowedInts_(buffer.size() - buffer.ownSize()),
          startPosition_(buffer.size()) {}
    /// Calls finish() if ints were written since the last finish(). Otherwise the buffer stays alone, because its owner may have changed it
    /// since.
    ~IntWriter() {
        if (cursor_ != finished_) finish();
    }
    IntWriter(const IntWriter&) = delete;
    IntWriter& operator=(const IntWriter&) = delete;

    template <class T>
    IntWriter& operator<<(const T& value) {
        static_assert(
            !std::is_same_v<std::remove_extent_t<T>, char> || std::is_same_v<T, char>,
            "ferry: a string literal or C array of char (see T) would be written without its length: write a std::string_view, or "
            "make the field a std::array");
        if (borrowFromBytes_ != Never) [[unlikely]] {
            const Lending off(*this, Never);    // the value may be a local variable of a writeToInts
            detail::writeValue(*this, value);
        } else {
            detail::writeValue(*this, value);
        }
        return *this;
    }

    /// Writes a value that the caller keeps in place and unchanged as long as the buffer. The buffer borrows the value's contiguous arrays
    /// of at least fromBytes bytes instead of copying them. A std::array must also have at least 1 KiB. A value that a writeToInts or a
    /// hand-written Codec passes to << is always copied, because it may be a local variable.
    template <class T>
    IntWriter& lend(const T& value, std::size_t fromBytes = 16 * 1024) {
        const Lending on(*this, fromBytes);
        detail::writeValue(*this, value);
        return *this;
    }
    template <class T>
    IntWriter& lend(const T&& temporary, std::size_t fromBytes = 0) = delete;

    /// Like lend(), for arrays that travel with their number of elements. A reader can have those elsewhere (AbsentArrays). Also lends the
    /// same part of each element of a contiguous container. Arrays without a number are copied.
    template <class T>
    IntWriter& lendCounted(const T& value, const detail::LendingSizes& from) {
        const Lending on(*this, from.arrayBytes);
        borrowBlocksFromBytes_ = from.blockBytes;
        copiesElements_ = true;
        detail::writeValue(*this, value);
        copiesElements_ = false;
        borrowBlocksFromBytes_ = Never;
        return *this;
    }

    /// Calls write(), by which an object writes itself. Meanwhile nothing is borrowed, except in LentFields of this object. The reason: its
    /// writeToInts may pass temporary values.
    template <class Write>
    void writeSelf(const void* object, const Write& write) {
        if (borrowFromBytes_ == Never) {
            write();
        } else {
            const SelfWriting writing(*this, object);
            write();
        }
    }

    /// During its lifetime, the writer may borrow from the fields of this object. Fields listed with FERRY_FIELDS exist as long as the
    /// object.
    class LentFields {
    public:
        LentFields(IntWriter& out, const void* object) noexcept : out_(out), before_(out.borrowFromBytes_) {
            if (out.selfWriting_ != nullptr && out.selfWriting_->object == object) [[unlikely]] {
                out.borrowFromBytes_ = out.selfWriting_->fromBytes;
            }
        }
        ~LentFields() { out_.borrowFromBytes_ = before_; }
        LentFields(const LentFields&) = delete;
        LentFields& operator=(const LentFields&) = delete;

    private:
        IntWriter& out_;
        std::size_t before_;
    };

    /// From now on the writer counts the ints, and keeps none: position() is their number, and the buffer holds nothing of use. Arrays that
    /// could be borrowed are not looked at.
    void countOnly() noexcept {
        countsOnly_ = true;
        borrowFromBytes_ = 1;
    }

    void writeInt(std::int32_t value) { *claim(1) = value; }
    /// Writes two ints, the low half first.
    void writeInt64(std::int64_t value) { detail::putElements<8>(claim(2), &value, sizeof(value)); }
    /// Writes a number of elements: one int, or three ints from 2^31 on.
    void writeCount(std::size_t count) {
        if (count > 0x7fffffff) [[unlikely]] {
            writeLongCount(count);
        } else {
            writeInt(static_cast<std::int32_t>(count));
        }
    }
    /// Writes the ints without their number.
    void writeInts(std::span<const std::int32_t> ints) { writeBytes<4>(ints.data(), ints.size_bytes()); }
    /// Writes bytes without their number: packed, with zeros up to a whole int. GrainBytes: of the elements that the bytes are
    /// (detail::grainBytes).
    template <std::size_t GrainBytes = 1>
    void writeBytes(const void* bytes, std::size_t byteCount) {
        if (byteCount == 0) return;
        const std::size_t intCount = (byteCount + 3) / 4;
        std::int32_t* target = claim(intCount);
        if (byteCount % 4 != 0) target[intCount - 1] = 0;
        detail::putElements<GrainBytes>(target, bytes, byteCount);
    }

    /// Writes a number of elements and the elements, of ElementBytes bytes each. For codecs whose array is a part of the value that they
    /// write, because the array may be borrowed.
    template <std::size_t ElementBytes, std::size_t GrainBytes>
    void writeArray(std::size_t count, const void* elements) {
        const std::size_t byteCount = count * ElementBytes;
        if constexpr (!detail::liesAsInts<GrainBytes>) {
            writeCount(count);
            writeBytes<GrainBytes>(elements, byteCount);
            return;
        }
        if (byteCount >= borrowFromBytes_ || count > 0x7fffffff) [[unlikely]] {
            writeLargeArray(count, elements, byteCount);
            return;
        }
        const std::size_t intCount = (byteCount + 3) / 4;
        std::int32_t* target = claim(1 + intCount);
        if constexpr (ElementBytes % 4 != 0) target[intCount] = 0;
        *target = static_cast<std::int32_t>(count);
        if (byteCount != 0) std::memcpy(target + 1, elements, byteCount);
    }

    /// Writes elements without their number, which the reader knows. Otherwise like writeArray. lendCounted() does not borrow them.
    template <std::size_t GrainBytes>
    void writeElements(const void* elements, std::size_t byteCount) {
        if (detail::liesAsInts<GrainBytes> && byteCount >= borrowFromBytes_ && !copiesElements_) [[unlikely]] {
            borrowElements(elements, byteCount);
        } else {
            writeBytes<GrainBytes>(elements, byteCount);
        }
    }

    /// Whether an array of this many bytes is borrowed, if it lies in one piece.
    bool lends(std::size_t byteCount) const noexcept { return byteCount >= borrowFromBytes_; }
    /// Borrows an array that lends() and that lies in blocks, if its blocks are large enough. The caller has already written its number of
    /// elements. Returns false if the blocks are too small; the caller must then copy the array.
    bool borrowBlocks(const std::byte* firstElement, detail::BlockLayout blocks);

    /// Returns room for intCount ints. The caller must fill them before the next call.
    std::int32_t* claim(std::size_t intCount) {
        if (intCount > static_cast<std::size_t>(end_ - cursor_)) [[unlikely]] {
            grow(intCount);
        }
        std::int32_t* claimed = cursor_;
        cursor_ += intCount;
        return claimed;
    }

    /// Number of ints in the buffer.
    std::size_t position() const noexcept { return ownPosition() + borrowedInts_; }

    /// Writes contents that a reader of another version can take apart. Writes the version (from 1 on), the number of ints that write()
    /// appends, and these ints. Errors: UsageError for a version below 1 and for 2^31 ints and more.
    template <class Write>
    void writeVersioned(std::int32_t version, Write&& write) {
        const VersionedStart start = beginVersioned(version);
        write();
        endVersioned(start);
    }

    // The two halves of writeVersioned, for codecs.
    struct VersionedStart {
        std::size_t sizePlace;    // in the buffer's own ints
        std::size_t bodyPosition;
    };
    VersionedStart beginVersioned(std::int32_t version) {
        if (version < 1) [[unlikely]] {
            failVersion(version);
        }
        *claim(2) = version;
        return {ownPosition() - 1, position()};
    }
    void endVersioned(const VersionedStart& start) {
        const std::size_t bodyInts = position() - start.bodyPosition;
        if (bodyInts > 0x7fffffff) [[unlikely]] {
            failVersionedSize(bodyInts);
        }
        buffer_.data()[start.sizePlace] = static_cast<std::int32_t>(bodyInts);
    }

    /// Gives the ints written so far to the buffer. More ints can follow.
    void finish() noexcept {
        buffer_.resizeWithin(ownPosition());
        finished_ = cursor_;
    }

    /// Sets how deep pointers, objects and containers may be nested in each other. A deeper structure is refused, because it would overflow
    /// the stack of the reader. A reader refuses a structure deeper than its own ReadLimits::depth.
    void setMaxDepth(std::size_t maxDepth) noexcept { maxDepth_ = maxDepth; }
    /// Number of objects that are being written, each inside the previous one.
    std::size_t depth() const noexcept { return depth_; }

    /// Sets how many shared objects may own each other in a row. A reader refuses a chain longer than its own ReadLimits::ownerChain.
    void setMaxOwnerChain(std::size_t maxOwnerChain) noexcept { maxOwnerChain_ = maxOwnerChain; }
    std::size_t maxOwnerChain() const noexcept { return maxOwnerChain_; }

    /// For codecs: counts elements that may take no ints. bytes: the memory of the elements that took none.
    void noteEmptyElements(std::size_t count, std::size_t bytes) noexcept {
        emptyElements_ += count;
        emptyBytes_ += bytes;
    }
    /// To be called when a message is complete. Errors: UsageError when it has more elements without ints than readers accept
    /// (ReadLimits::emptyElements, ReadLimits::emptyBytes).
    void requireReadable() const {
        if (emptyElements_ != 0 || emptyBytes_ != 0) [[unlikely]] {
            checkEmptyElements();
        }
    }

    /// Counts one level of nesting during its lifetime.
    class Nesting {
    public:
        explicit Nesting(IntWriter& out) : out_(out) {
            if (out.depth_ == out.maxDepth_) [[unlikely]] {
                out.failTooDeep();
            }
            ++out.depth_;
        }
        ~Nesting() { --out_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

    private:
        IntWriter& out_;
    };

    /// The state of the pointers inside a graph. Null outside of a graph.
    detail::ReferenceWriter* references() const noexcept { return references_; }
    /// The references must outlive the writer.
    void setReferences(detail::ReferenceWriter* references) noexcept { references_ = references; }

    /// The shared objects that this writer has met.
    detail::WrittenShares& shares();

private:
    static constexpr std::size_t Never = detail::LendingSizes::never;

    /// During its lifetime, the writer borrows arrays of at least fromBytes bytes.
    class Lending {
    public:
        Lending(IntWriter& out, std::size_t fromBytes) noexcept
            : out_(out),
              before_(std::exchange(out.borrowFromBytes_, out.countsOnly_ ? 1 : fromBytes)) {}
        ~Lending() { out_.borrowFromBytes_ = before_; }
        Lending(const Lending&) = delete;
        Lending& operator=(const Lending&) = delete;

    private:
        IntWriter& out_;
        std::size_t before_;
    };

    /// Exists while an object writes itself.
    struct SelfWriting {
        SelfWriting(IntWriter& out, const void* self) noexcept
            : object(self),
              fromBytes(out.borrowFromBytes_),
              off(out, Never),
              writer(out),
              around(std::exchange(out.selfWriting_, this)) {}
        ~SelfWriting() { writer.selfWriting_ = around; }
        SelfWriting(const SelfWriting&) = delete;
        SelfWriting& operator=(const SelfWriting&) = delete;

        const void* object;
        std::size_t fromBytes;    ///< least size of an array of its fields that is borrowed
        Lending off;
        IntWriter& writer;
        const SelfWriting* around;
    };

    void grow(std::size_t intCount);
    void writeLongCount(std::size_t count);
    void writeLargeArray(std::size_t count, const void* bytes, std::size_t byteCount);
    void borrowElements(const void* bytes, std::size_t byteCount);
    std::size_t ownPosition() const noexcept { return static_cast<std::size_t>(cursor_ - buffer_.data()); }

    [[noreturn]] static void failVersion(std::int32_t version);
    [[noreturn]] static void failVersionedSize(std::size_t bodyInts);
    [[noreturn]] void failTooDeep() const;
    void checkEmptyElements() const;

    IntBuffer& buffer_;
    std::int32_t* cursor_;
    std::int32_t* end_;
    const std::int32_t* finished_ = nullptr;    // the cursor at the last finish()
    std::size_t borrowedInts_;
    std::size_t borrowFromBytes_ = Never;
    std::size_t borrowBlocksFromBytes_ = Never;
    const SelfWriting* selfWriting_ = nullptr;    // the innermost one; set only while something is lent
    bool copiesElements_ = false;                 // true: arrays without a number are not borrowed
    bool countsOnly_ = false;
    std::size_t depth_ = 0;
    std::size_t maxDepth_ = ReadLimits().depth;
    std::size_t maxOwnerChain_ = ReadLimits().ownerChain;
    std::size_t startPosition_;
    std::size_t emptyElements_ = 0;
    std::size_t emptyBytes_ = 0;
    detail::ReferenceWriter* references_ = nullptr;
    detail::SoleOwner<detail::WrittenShares, detail::DeleteWrittenShares> shares_;    // made for the first shared_ptr
};

}    // namespace ferry
