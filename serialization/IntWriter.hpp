#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

#include <ferry/serialization/IntBuffer.hpp>

namespace ferry {

static_assert(std::endian::native == std::endian::little, "the stream is little-endian and is copied as it lies in memory");

/// Says how values of type T become ints and come back. Defined for the standard types, classes with FERRY_FIELDS and many more in
/// <ferry/serialization/Codec.hpp>; specialise it for a type that you cannot change:
///
///     template <> struct ferry::Codec<Colour> {
///         static void write(IntWriter& out, const Colour& colour) { out << colour.rgba(); }
///         static void read(IntReader& in, Colour& colour) { ... }
///     };
template <class T>
struct Codec;

class IntWriter;

namespace detail {

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
/// Errors: std::bad_alloc; UsageError for values that cannot travel.
class IntWriter {
public:
    explicit IntWriter(IntBuffer& buffer) noexcept
        : buffer_(buffer),
          cursor_(buffer.data() + buffer.size()),
          end_(buffer.data() + buffer.capacity()) {}
    ~IntWriter() { finish(); }
    IntWriter(const IntWriter&) = delete;
    IntWriter& operator=(const IntWriter&) = delete;

    template <class T>
    IntWriter& operator<<(const T& value) {
        detail::writeValue(*this, value);
        return *this;
    }

    void writeInt(std::int32_t value) { *claim(1) = value; }
    /// Two ints, the low half first.
    void writeInt64(std::int64_t value) { std::memcpy(claim(2), &value, sizeof(value)); }
    /// A number of elements: one int, or three from 2^31 on.
    void writeCount(std::size_t count) {
        if (count > 0x7fffffff) [[unlikely]] {
            writeLongCount(count);
        } else {
            writeInt(static_cast<std::int32_t>(count));
        }
    }
    /// The ints themselves, without their number.
    void writeInts(std::span<const std::int32_t> ints) { writeBytes(ints.data(), ints.size_bytes()); }
    /// Bytes, packed, filled up with zeros to a whole int; without their number.
    void writeBytes(const void* bytes, std::size_t byteCount) {
        if (byteCount == 0) return;
        const std::size_t intCount = (byteCount + 3) / 4;
        std::int32_t* target = claim(intCount);
        if (byteCount % 4 != 0) target[intCount - 1] = 0;
        std::memcpy(target, bytes, byteCount);
    }

    /// Room for so many ints, which the caller must fill before the next call.
    std::int32_t* claim(std::size_t intCount) {
        if (intCount > static_cast<std::size_t>(end_ - cursor_)) [[unlikely]] {
            grow(intCount);
        }
        std::int32_t* claimed = cursor_;
        cursor_ += intCount;
        return claimed;
    }

    /// Index in the buffer of the next int to be written.
    std::size_t position() const noexcept { return static_cast<std::size_t>(cursor_ - buffer_.data()); }
    /// Overwrites an int that was written before, for instance a length that is known only afterwards.
    void patchInt(std::size_t position, std::int32_t value);

    /// Hands what was written so far to the buffer. More can follow.
    void finish() noexcept { buffer_.resizeUninitialized(position()); }

    /// How deep pointers may be nested in each other; deeper structures are refused before they overflow the stack of the reader.
    /// Readers refuse what exceeds their own ReadLimits::depth.
    void setMaxDepth(std::size_t maxDepth) noexcept { maxDepth_ = maxDepth; }

    /// Counts one level of nesting while it lives.
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

    /// The shared objects that this writer has met.
    detail::WrittenShares& shares();

private:
    void grow(std::size_t intCount);
    void writeLongCount(std::size_t count);
    [[noreturn]] void failTooDeep() const;

    IntBuffer& buffer_;
    std::int32_t* cursor_;
    std::int32_t* end_;
    std::size_t depth_ = 0;
    std::size_t maxDepth_ = 64;
    std::unique_ptr<detail::WrittenShares, detail::DeleteWrittenShares> shares_;    // made for the first shared_ptr
};

}    // namespace ferry
