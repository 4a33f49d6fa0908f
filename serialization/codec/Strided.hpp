#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include <ferry/serialization/codec/CodecSequence.hpp>
#include <ferry/serialization/ints/BlockLayout.hpp>
#include <ferry/serialization/ints/ByteOrder.hpp>

namespace ferry {

namespace detail {

/// Errors: UsageError for blocks that lie over each other or have no elements, for a null pointer, and for blocks that no memory can hold.
void requireStrided(bool isNull, std::size_t blockCount, std::ptrdiff_t stride, std::size_t blockElements, std::size_t elementBytes);

}    // namespace detail

/// Elements of one array in blocks at equal distances, such as a column of a matrix. ferry::strided makes one.
///
/// Ownership: borrows the elements. Wire form: that of a std::vector of the elements.
template <class T>
class Strided {
public:
    Strided(T* first, std::size_t blockCount, std::ptrdiff_t stride, std::size_t blockElements)
        : first_(first),
          blockCount_(blockCount),
          stride_(stride),
          blockElements_(blockElements) {
        detail::requireStrided(first == nullptr, blockCount, stride, blockElements, sizeof(T));
    }

    /// Number of elements in all blocks.
    std::size_t size() const noexcept { return blockCount_ * blockElements_; }
    T& operator[](std::size_t index) const {
        return first_[static_cast<std::ptrdiff_t>(index / blockElements_) * stride_ + static_cast<std::ptrdiff_t>(index % blockElements_)];
    }

    T* first() const noexcept { return first_; }
    std::size_t blockBytes() const noexcept { return blockElements_ * sizeof(T); }
    /// Whether the elements lie side by side.
    bool isOnePiece() const noexcept { return blockCount_ <= 1 || static_cast<std::size_t>(stride_) == blockElements_; }

    /// Calls visit(first element of the block) for each block.
    template <class Visit>
    void forEachBlock(Visit&& visit) const {
        for (std::size_t i = 0; i < blockCount_; ++i) visit(first_ + static_cast<std::ptrdiff_t>(i) * stride_);
    }
    detail::BlockLayout layout() const {
        detail::BlockLayout blocks;
        blocks.elementCount = blockCount_;
        blocks.strideBytes = static_cast<std::size_t>(stride_) * sizeof(T);
        blocks.addRun(0, blockBytes());
        return blocks;
    }

private:
    T* first_;
    std::size_t blockCount_;
    std::ptrdiff_t stride_;    ///< from the first element of a block to that of the next one, in elements
    std::size_t blockElements_;
};

/// Names blockCount elements at a distance of `stride` elements, to be sent, or received into, where they lie. For instance a column of a
/// matrix whose rows lie one after the other: connector.send(1, ferry::strided(&matrix[column], rows, columns)). With blockElements, each
/// block has several neighbouring elements: a part of a matrix is ferry::strided(&matrix[corner], rows, columns, columnsOfPart).
///
/// The elements travel as those of a std::vector, and meet vectors, spans and arrays. Elements between the blocks stay as they are. Errors:
/// UsageError for a stride below 1 or below the length of a block, and for a null pointer. A receive of another number of elements throws
/// SerializationError.
template <class T>
Strided<T> strided(T* first, std::size_t blockCount, std::ptrdiff_t stride, std::size_t blockElements = 1) {
    return {first, blockCount, stride, blockElements};
}

template <class T>
struct Codec<Strided<T>> {
    using Element = std::remove_const_t<T>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::Writable<Element>;

    static void write(IntWriter& out, const Strided<T>& values) {
        detail::requireWritable<Element>();
        if constexpr (detail::Bulk<Element>) {
            if (values.isOnePiece()) {
                out.writeArray<sizeof(Element), detail::grainBytes<Element>>(values.size(), values.first());
            } else {
                out.writeCount(values.size());
                writeBlocks(out, values);
            }
        } else {
            out.writeCount(values.size());
            const IntWriter::Nesting nesting(out);
            for (std::size_t i = 0; i < values.size(); ++i) detail::writeElement<Element>(out, values[i]);
            if constexpr (detail::minInts<Element> == 0) out.noteEmptyElements(values.size(), 0);
        }
    }

    static void read(IntReader& in, Strided<T>& values) {
        static_assert(!std::is_const_v<T>, "ferry: elements that are constant (see T) cannot be read into");
        detail::requireWritable<Element>();
        const std::size_t start = in.position();
        const std::size_t count = detail::Bulk<Element> ? in.readPackedCount(sizeof(Element) * 8) : in.readCount(detail::minInts<Element>);
        if (count != values.size()) {
            in.rewind(start);
            detail::failWrongSize(in, values.size(), count);
        }
        if constexpr (!std::is_const_v<T>) readElements(in, values);
    }

private:
    static constexpr bool liesAsInts = detail::liesAsInts<detail::grainBytes<Element>>;

    static std::size_t intsOf(std::size_t byteCount) noexcept { return byteCount / 4 + (byteCount % 4 != 0); }
    static bool isInInts(const Strided<T>& values) noexcept { return liesAsInts && values.blockBytes() % sizeof(std::int32_t) == 0; }

    static void readElements(IntReader& in, Strided<T>& values) {
        if constexpr (!detail::Bulk<Element>) {
            for (std::size_t i = 0; i < values.size(); ++i) Codec<Element>::read(in, values[i]);
        } else if (values.isOnePiece()) {
            in.readBytes<detail::grainBytes<Element>>(values.first(), values.size() * sizeof(Element));
        } else {
            readBlocks(in, values);
        }
    }

    static void writeBlocks(IntWriter& out, const Strided<T>& values) {
        const std::size_t byteCount = values.size() * sizeof(Element);
        if (isInInts(values) && out.lends(byteCount) && out.borrowBlocks(bytesAt(values.first()), values.layout())) return;
        if constexpr (liesAsInts) {
            std::int32_t* const target = out.claim(intsOf(byteCount));
            if (byteCount % 4 != 0) target[byteCount / 4] = 0;
            gather(values, reinterpret_cast<std::byte*>(target));
        } else {
            std::vector<std::byte> bytes(byteCount);
            gather(values, bytes.data());
            out.writeBytes<detail::grainBytes<Element>>(bytes.data(), byteCount);
        }
    }

    static void readBlocks(IntReader& in, const Strided<T>& values) {
        const std::size_t byteCount = values.size() * sizeof(Element);
        const bool isAbsent = in.isAbsent(in.cursor());
        if (isAbsent && isInInts(values)) {
            in.fetchAbsent(in.cursor(), bytesAt(values.first()), values.layout());
            in.take(intsOf(byteCount));
        } else if (liesAsInts && !isAbsent) {
            scatter(values, reinterpret_cast<const std::byte*>(in.take(intsOf(byteCount))));
        } else {
            std::vector<std::byte> bytes(byteCount);
            in.readBytes<detail::grainBytes<Element>>(bytes.data(), byteCount);
            scatter(values, bytes.data());
        }
    }

    template <class Value>
    static auto* bytesAt(Value* first) noexcept {
        return reinterpret_cast<std::conditional_t<std::is_const_v<Value>, const std::byte*, std::byte*>>(first);
    }
    static void gather(const Strided<T>& values, std::byte* target) noexcept {
        values.forEachBlock([&](const Element* block) {
            std::memcpy(target, block, values.blockBytes());
            target += values.blockBytes();
        });
    }
    static void scatter(const Strided<T>& values, const std::byte* source) noexcept {
        values.forEachBlock([&](T* block) {
            std::memcpy(static_cast<void*>(block), source, values.blockBytes());
            source += values.blockBytes();
        });
    }
};

}    // namespace ferry
