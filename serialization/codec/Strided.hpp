#pragma once

#include <array>
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

/// Elements of one array in blocks at equal distances, such as a column of a matrix. ferry::strided makes one. With several levels, the
/// blocks of a level stand at equal distances too: ferry::subarray makes one of an array with several dimensions.
///
/// Ownership: borrows the elements. Wire form: that of a std::vector of the elements.
template <class T, std::size_t levelCount = 1>
class Strided {
public:
    static_assert(levelCount >= 1);

    /// `count` blocks, or groups of blocks. stride: from the first element of one to that of the next one, in elements.
    struct Level {
        std::size_t count = 0;
        std::ptrdiff_t stride = 0;
    };
    using Levels = std::array<Level, levelCount>;

    Strided(T* first, std::size_t blockCount, std::ptrdiff_t stride, std::size_t blockElements)
        requires(levelCount == 1)
        : Strided(first, Levels{Level{blockCount, stride}}, blockElements) {
        detail::requireStrided(first == nullptr, blockCount, stride, blockElements, sizeof(T));
    }
    /// levels: the outermost first. No two blocks may lie over each other.
    Strided(T* first, const Levels& levels, std::size_t blockElements) noexcept
        : first_(first),
          levels_(levels),
          blockElements_(blockElements) {}

    /// Number of elements in all blocks.
    std::size_t size() const noexcept {
        std::size_t count = blockElements_;
        for (const Level& level : levels_) count *= level.count;
        return count;
    }
    T& operator[](std::size_t index) const {
        auto offset = static_cast<std::ptrdiff_t>(index % blockElements_);
        std::size_t block = index / blockElements_;
        for (std::size_t i = levelCount; i-- > 1; block /= levels_[i].count)
            offset += static_cast<std::ptrdiff_t>(block % levels_[i].count) * levels_[i].stride;
        return first_[offset + static_cast<std::ptrdiff_t>(block) * levels_[0].stride];
    }

    T* first() const noexcept { return first_; }
    std::size_t blockBytes() const noexcept { return blockElements_ * sizeof(T); }
    /// Whether the elements lie side by side.
    bool isOnePiece() const noexcept {
        std::size_t elements = blockElements_;
        for (std::size_t i = levelCount; i-- > 0; elements *= levels_[i].count) {
            if (levels_[i].count > 1 && static_cast<std::size_t>(levels_[i].stride) != elements) return false;
        }
        return true;
    }

    /// Calls visit(first element of the block) for each block, in the order of the elements.
    template <class Visit>
    void forEachBlock(Visit&& visit) const {
        forBlocksFrom<0>(first_, visit);
    }
    /// Each element of the layout is a block or a group of blocks of the first level that has several.
    detail::BlockLayout layout() const {
        std::size_t level = 0;
        while (level + 1 < levelCount && levels_[level].count == 1) ++level;
        detail::BlockLayout blocks;
        blocks.elementCount = levels_[level].count;
        blocks.strideBytes = static_cast<std::size_t>(levels_[level].stride) * sizeof(T);
        Levels inner = levels_;
        for (std::size_t i = 0; i <= level; ++i) inner[i].count = 1;
        Strided(first_, inner, blockElements_).forEachBlock([&](T* block) {
            blocks.addRun((block - first_) * static_cast<std::ptrdiff_t>(sizeof(T)), blockBytes());
        });
        return blocks;
    }

private:
    template <std::size_t level, class Visit>
    void forBlocksFrom(T* first, Visit& visit) const {
        for (std::size_t i = 0; i < levels_[level].count; ++i) {
            T* const place = first + static_cast<std::ptrdiff_t>(i) * levels_[level].stride;
            if constexpr (level + 1 == levelCount)
                visit(place);
            else
                forBlocksFrom<level + 1>(place, visit);
        }
    }

    T* first_;
    Levels levels_;
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

template <class T, std::size_t levelCount>
struct Codec<Strided<T, levelCount>> {
    using Element = std::remove_const_t<T>;
    using Blocks = Strided<T, levelCount>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::Writable<Element>;

    static void write(IntWriter& out, const Blocks& values) {
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

    static void read(IntReader& in, Blocks& values) {
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
    static bool isInInts(const Blocks& values) noexcept { return liesAsInts && values.blockBytes() % sizeof(std::int32_t) == 0; }

    static void readElements(IntReader& in, Blocks& values) {
        if constexpr (!detail::Bulk<Element>) {
            for (std::size_t i = 0; i < values.size(); ++i) Codec<Element>::read(in, values[i]);
        } else if (values.isOnePiece()) {
            in.readBytes<detail::grainBytes<Element>>(values.first(), values.size() * sizeof(Element));
        } else {
            readBlocks(in, values);
        }
    }

    static void writeBlocks(IntWriter& out, const Blocks& values) {
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

    static void readBlocks(IntReader& in, const Blocks& values) {
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
    static void gather(const Blocks& values, std::byte* target) noexcept {
        values.forEachBlock([&](const Element* block) {
            std::memcpy(target, block, values.blockBytes());
            target += values.blockBytes();
        });
    }
    static void scatter(const Blocks& values, const std::byte* source) noexcept {
        values.forEachBlock([&](T* block) {
            std::memcpy(static_cast<void*>(block), source, values.blockBytes());
            source += values.blockBytes();
        });
    }
};

}    // namespace ferry
