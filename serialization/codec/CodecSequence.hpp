#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>

#include <ferry/serialization/codec/CodecBlocks.hpp>
#include <ferry/serialization/codec/CodecRawPointer.hpp>
#include <ferry/serialization/ints/CodecFixedArray.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>
#include <ferry/serialization/ints/algorithms.hpp>
#include <ferry/serialization/reference/ReferenceReader.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

// vector, string, deque, list and similar containers travel as the count, then the elements. Contiguous bulk elements (numbers, enums,
// plain structs without gaps) are copied in one piece. Numbers of less than 32 bits are packed. vector<bool> travels as bits.

namespace ferry {

namespace detail {

template <class T>
concept Contiguous = requires(T& container) {
    container.data();
    *container.data();
};

template <class Container>
inline constexpr bool isBulkContainer = Contiguous<Container>&& Bulk<typename Container::value_type>;

/// Whether the elements lie at equal distances, and their codec reports where their ints are.
template <class Container>
inline constexpr bool isInBlocks = Contiguous<Container>&& HasRuns<Codec<typename Container::value_type>>;

template <class Container>
consteval bool findBitContainer() {
    if constexpr (std::is_same_v<typename Container::value_type, bool> && !Contiguous<Container> &&
                  requires { typename Container::reference; })
        return !std::is_same_v<typename Container::reference, bool&>;
    else
        return false;
}
template <class Container>
inline constexpr bool isBitContainer = findBitContainer<Container>();

template <class Container>
inline constexpr bool isPointerContainer = Contiguous<Container>&& std::is_pointer_v<typename Container::value_type>;

/// Whether the elements keep their addresses and may be pointed to inside a graph.
template <class Container>
inline constexpr bool holdsPointees = Contiguous<Container>&& isPointee<typename Container::value_type>;

/// Returns what may lie in memory behind the elements.
template <class Container>
RoomBehind roomBehind(const Container& container) noexcept {
    if constexpr (requires { container.capacity(); }) {
        const std::size_t count = container.capacity() - container.size();
        return {count != 0 ? BlockMemory::Spare : BlockMemory::Full, count};
    } else {
        return {};
    }
}

template <class Container>
[[gnu::always_inline]] inline void addWrittenElements(IntWriter& out, const Container& container) {
    if constexpr (holdsPointees<Container>) {
        if (out.references() != nullptr) [[unlikely]] {
            out.references()->addPointees(container.data(), container.size(), roomBehind(container));
        }
    } else if constexpr (Contiguous<Container>) {
        noteUnnumbered(out, container.data(), container.size());
    }
}

template <class Container>
[[gnu::always_inline]] inline void addReadElements(IntReader& in, Container& container) {
    if constexpr (holdsPointees<Container>) {
        if (in.references() != nullptr) [[unlikely]] {
            in.references()->addPointees(container.data(), container.size());
        }
    }
}

template <class Container>
void writePointers(IntWriter& out, const Container& pointers) {
    using Value = std::remove_const_t<std::remove_pointer_t<typename Container::value_type>>;
    ReferenceWriter& references = referencesOf<Value>(out);
    out.writeCount(pointers.size());
    references.writeAll<Value>(out, const_cast<Value* const*>(pointers.data()), pointers.size());
}

template <class Container>
const std::int32_t* readPointersFrom(const std::int32_t* cursor, IntReader& in, Container& pointers) {
    using Value = std::remove_const_t<std::remove_pointer_t<typename Container::value_type>>;
    ReferenceReader& references = referencesOf<Value>(in);
    const std::size_t count = in.readCountAt(cursor, 1);
    in.charge(count, sizeof(Value*));
    in.moveTo(cursor);
    pointers.resize(count);
    try {
        references.readAll<Value>(in, const_cast<Value**>(pointers.data()), count);
    } catch (...) {
        pointers.clear();
        throw;
    }
    return in.cursor();
}

/// Whether a container can get more elements without moving those that it has. A vector of atomics cannot.
template <class Container>
inline constexpr bool canGrow = !Contiguous<Container> || std::is_move_constructible_v<typename Container::value_type>;

/// Gives the container this number of elements. Elements that cannot be moved are new ones.
template <class Container>
void resizeTo(Container& container, std::size_t count) {
    if constexpr (canGrow<Container>) {
        container.resize(count);
    } else if (count != container.size()) {
        Container made(count, container.get_allocator());
        container.swap(made);
    }
}

/// Counts the memory of elements that a container does not have yet, and allocates it in one piece.
template <class Container>
void reserveRoomy(IntReader& in, Container& container, std::size_t count) {
    if (count <= container.size()) return;
    in.chargeRoomy(count - container.size(), sizeof(typename Container::value_type));
    if constexpr (canGrow<Container> && requires { container.reserve(count); }) container.reserve(count);
}

/// For elements that may take no int: allocates no more memory than the remaining ints can justify.
template <class Container>
void reserveLittle(Container& container, std::size_t count, std::size_t intCount) {
    if constexpr (canGrow<Container> && requires { container.reserve(count); }) {
        constexpr std::size_t ElementBytes = sizeof(typename Container::value_type);
        container.reserve(std::min(count, intCount * 32 / ElementBytes));
    }
}

/// Whether a container is a deque, which has a first block and a table of blocks even when it is empty.
template <class Container>
inline constexpr bool isDeque = !Contiguous<Container> && requires(Container & container) {
    container.pop_front();
    container[0];
};
inline constexpr std::size_t EmptyDequeBytes = 576;

/// Fills a contiguous container with packed elements. The container sets new elements to zero before they get their values. Both steps are
/// done block by block. So a block stays in the nearest cache between the two steps, and a large container passes through memory once.
template <class Container>
void assignBulk(Container& container, const std::int32_t* source, std::size_t count) {
    using T = typename Container::value_type;
    if constexpr (!liesAsInts<grainBytes<T>>) {
        container.resize(count);
        getElements<grainBytes<T>>(container.data(), source, count * sizeof(T));
    } else if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::uint32_t> || std::is_same_v<T, char> ||
                         std::is_same_v<T, unsigned char> || std::is_same_v<T, std::byte>) {
        if (count - 1 < container.size()) [[likely]] {    // false for 0 elements
            if (count != container.size()) container.resize(count);
            std::memcpy(container.data(), source, count * sizeof(T));
            return;
        }
        const T* first = reinterpret_cast<const T*>(source);
        container.assign(first, first + count);
    } else {
        constexpr std::size_t BlockElements = std::max<std::size_t>(1, 4096 / sizeof(T));
        if (count > container.capacity()) {
            container.clear();
            container.reserve(count);
        }
        const auto* bytes = reinterpret_cast<const unsigned char*>(source);
        if (container.size() > count) container.resize(count);
        std::size_t done = container.size();
        if (done != 0) std::memcpy(static_cast<void*>(container.data()), bytes, done * sizeof(T));
        while (done < count) {
            const std::size_t block = std::min(BlockElements, count - done);
            container.resize(done + block);
            std::memcpy(static_cast<void*>(container.data() + done), bytes + done * sizeof(T), block * sizeof(T));
            done += block;
        }
    }
}

template <class Container>
void writeBits(IntWriter& out, const Container& bits) {
    out.writeCount(bits.size());
    std::int32_t* target = out.claim((bits.size() + 31) / 32);
    std::uint32_t word = 0;
    std::size_t i = 0;
    for (const bool bit : bits) {
        word |= static_cast<std::uint32_t>(bit) << (i % 32);
        if (++i % 32 == 0) {
            *target++ = static_cast<std::int32_t>(word);
            word = 0;
        }
    }
    if (i % 32 != 0) *target = static_cast<std::int32_t>(word);
}

template <class Container>
void readBits(IntReader& in, Container& bits) {
    const std::size_t count = in.readPackedCount(1);
    in.chargePacked(count, 0);
    const std::int32_t* source = in.take((count + 31) / 32);
    if (count % 32 != 0 && static_cast<std::uint32_t>(source[count / 32]) >> (count % 32) != 0) {
        in.rewind(in.position() - 1);
        failStrayBits(in);
    }
    bits.resize(count);
    std::size_t i = 0;
    for (auto&& bit : bits) {
        bit = (static_cast<std::uint32_t>(source[i / 32]) >> (i % 32) & 1) != 0;
        ++i;
    }
}

/// Writes an element of a container or array. The element may take no int.
template <class T>
void writeElement(IntWriter& out, const T& element) {
    [[maybe_unused]] const std::size_t start = ferry::detail::minInts<T> == 0 ? out.position() : 0;
    Codec<T>::write(out, element);
    if constexpr (ferry::detail::minInts<T> == 0) {
        if (out.position() == start) out.noteEmptyElements(0, sizeof(T));
    }
}

/// Reads an element of a container. The element may take no int.
template <class T>
void readElement(IntReader& in, T& element) {
    [[maybe_unused]] const std::size_t start = in.position();
    Codec<T>::read(in, element);
    if constexpr (ferry::detail::minInts<T> == 0) in.position() == start ? in.chargeEmpty(sizeof(T)) : in.chargeRoomy(1, sizeof(T));
}

template <class Container>
void writeElements(IntWriter& out, const Container& container) {
    using T = typename Container::value_type;
    out.writeCount(container.size());
    if constexpr (isInBlocks<Container>) {
        if (lendBlocks<Codec<T>>(out, container, std::identity())) return;
    }
    if constexpr (ferry::detail::fixedInts<T> != 0) {
        std::int32_t* target = out.claim(container.size() * ferry::detail::fixedInts<T>);
        for (const T& element : container) target = Codec<T>::put(target, element);
    } else {
        const IntWriter::Nesting nesting(out);
        for (const T& element : container) writeElement(out, element);
        if constexpr (ferry::detail::minInts<T> == 0) out.noteEmptyElements(container.size(), 0);
    }
}

/// Whether elements take at most eight bytes of memory for each byte of their ints. Then a count may be trusted, and all elements are made
/// at once.
template <class T, std::size_t MinInts>
inline constexpr bool isCompact = !ReadLimits::isRoomy(sizeof(T), MinInts);

/// Resizes the container to this count and reads into each element. Existing elements keep their memory.
template <std::size_t MinInts, class Container, class ReadElement>
[[gnu::always_inline]] inline void readInPlace(Container& container, std::size_t count, const ReadElement& readElement) {
    std::size_t i = 0;
    try {
        constexpr bool areMadeAtOnce = isCompact<typename Container::value_type, MinInts> || !canGrow<Container>;
        const bool isResized = areMadeAtOnce ? container.size() != count : container.size() > count;
        if (isResized) resizeTo(container, count);
        for (auto& element : container) {
            readElement(element);
            ++i;
        }
        if constexpr (!areMadeAtOnce) {
            for (; i < count; ++i) readElement(container.emplace_back());
        }
    } catch (...) {
        rethrowFromElement(i);
    }
}

/// Reads into each existing element.
template <class Elements, class ReadElement>
void readElementsOf(Elements& elements, const ReadElement& readElement) {
    std::size_t i = 0;
    try {
        for (auto& element : elements) {
            readElement(element);
            ++i;
        }
    } catch (...) {
        rethrowFromElement(i);
    }
}

template <class Container>
const std::int32_t* readElementsFrom(const std::int32_t* cursor, IntReader& in, Container& container) {
    using T = typename Container::value_type;
    static_assert(std::is_default_constructible_v<T>, "ferry: elements of a container need a default constructor to be read");
    requireMadeReady<T>();
    const std::size_t count = in.readCountAt(cursor, ferry::detail::minInts<T>);
    in.charge(count, sizeof(T));
    if constexpr (isRoomy<T> && ferry::detail::minInts<T> != 0) reserveRoomy(in, container, count);
    if constexpr (isDeque<Container>) in.chargeRoomy(1, EmptyDequeBytes);
    // Elements that may take no int are counted here if all of them are made before the first one is read. Otherwise one by one.
    [[maybe_unused]] const bool areMadeFirst = !canGrow<Container> || (holdsPointees<Container> && in.references() != nullptr);
    if constexpr (ferry::detail::minInts<T> == 0) {
        if (areMadeFirst) in.chargeRoomy(count, sizeof(T));
    }
    if constexpr (holdsPointees<Container>) {
        if (in.references() != nullptr) [[unlikely]] {    // from here on, the elements must not move
            resizeTo(container, count);
            addReadElements(in, container);
        }
    }
    if constexpr (ferry::detail::fixedInts<T> != 0) {
        const std::int32_t* source = in.takeAt(cursor, count * ferry::detail::fixedInts<T>);
        if constexpr (isInBlocks<Container>) {
            if (fetchBlocks<Codec<T>>(in, source, container, count, std::identity())) return cursor;
        }
        readInPlace<ferry::detail::fixedInts<T>>(container, count, [&](T& element) { source = Codec<T>::get(source, element, in); });
    } else {
        if constexpr (ferry::detail::minInts<T> == 0) {
            reserveLittle(container, count, in.remainingAt(cursor));
        }
        in.moveTo(cursor);
        const IntReader::Nesting nesting(in);
        IntReader::KeptBack following(in, count, ferry::detail::minInts<T>);
        readInPlace<ferry::detail::minInts<T>>(container, count, [&](T& element) {
            following.release();
            [[maybe_unused]] const std::int32_t* begin = cursor;
            cursor = readValueFrom(cursor, in, element);
            if constexpr (ferry::detail::minInts<T> == 0 && canGrow<Container>) {
                if (cursor == begin)
                    in.chargeEmpty(sizeof(T));
                else if (!areMadeFirst)
                    in.chargeRoomy(1, sizeof(T));
            }
        });
    }
    return cursor;
}

}    // namespace detail

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Sequence)
struct Codec<T> : detail::CursorCodec<T> {
    using Element = typename T::value_type;

    static_assert(detail::requireNoLoss<T>());
    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::Writable<Element>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<Element>;

    static void write(IntWriter& out, const T& container) {
        detail::requireWritable<Element>();
        detail::addWrittenElements(out, container);
        if constexpr (detail::isPointerContainer<T>) {
            detail::writePointers(out, container);
        } else if constexpr (detail::isBulkContainer<T>) {
            out.writeArray<sizeof(Element), detail::grainBytes<Element>>(container.size(), container.data());
        } else if constexpr (detail::isBitContainer<T>) {
            detail::writeBits(out, container);
        } else {
            detail::writeElements(out, container);
        }
    }

    static const std::int32_t* readFrom(const std::int32_t* cursor, IntReader& in, T& container) {
        detail::requireWritable<Element>();
        if constexpr (detail::isPointerContainer<T>) {
            return detail::readPointersFrom(cursor, in, container);
        } else if constexpr (detail::isBulkContainer<T>) {
            const std::size_t count = in.readPackedCountAt(cursor, sizeof(Element) * 8);
            in.chargePacked(count, sizeof(Element));
            if (in.isAbsent(cursor)) [[unlikely]] {
                if (count > container.capacity()) container.clear();    // the old elements need not be copied
                container.resize(count);
                in.fetchAbsent(cursor, container.data(), count * sizeof(Element));
            } else {
                detail::assignBulk(container, cursor, count);
            }
            detail::addReadElements(in, container);
            return cursor + (count * sizeof(Element) + 3) / 4;
        } else if constexpr (detail::isBitContainer<T>) {
            in.moveTo(cursor);
            detail::readBits(in, container);
            return in.cursor();
        } else {
            return detail::readElementsFrom(cursor, in, container);
        }
    }
};

/// Written like a string. To be read into a std::string.
template <>
struct Codec<std::string_view> {
    static constexpr bool isWritable = true;
    static void write(IntWriter& out, std::string_view text) { out.writeArray<1, 1>(text.size(), text.data()); }
    template <class Text>
    static void read(IntReader&, Text&) {
        static_assert(
            !std::is_same_v<Text, std::string_view>,
            "ferry: a std::string_view can be written, but nobody would keep the text that is read into one: make it a std::string");
    }
};

/// Written like a vector. Reading fills the memory of the span, and the count must be its size.
template <class T, std::size_t Extent>
struct Codec<std::span<T, Extent>> {
    using Element = std::remove_const_t<T>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::Writable<Element>;

    static void write(IntWriter& out, std::span<T, Extent> values) {
        detail::requireWritable<Element>();
        if constexpr (detail::Bulk<Element>) {
            out.writeArray<sizeof(Element), detail::grainBytes<Element>>(values.size(), values.data());
        } else {
            out.writeCount(values.size());
            for (const Element& value : values) Codec<Element>::write(out, value);
        }
    }

    static void read(IntReader& in, std::span<T, Extent>& values) {
        static_assert(!std::is_const_v<T>, "ferry: a span of constant elements cannot be read into");
        detail::requireWritable<Element>();
        const std::size_t start = in.position();
        const std::size_t count =
            detail::Bulk<Element> ? in.readPackedCount(sizeof(Element) * 8) : in.readCount(ferry::detail::minInts<Element>);
        if (count != values.size()) {
            in.rewind(start);
            detail::failWrongSize(in, values.size(), count);
        }
        if constexpr (detail::Bulk<Element>) {
            in.readBytes<detail::grainBytes<Element>>(values.data(), values.size_bytes());
        } else {
            if constexpr (detail::HasRuns<Codec<Element>>) {
                if (detail::fetchBlocks<Codec<Element>>(in, in.cursor(), values, count, std::identity())) {
                    in.take(count * ferry::detail::fixedInts<Element>);
                    return;
                }
            }
            detail::readElementsOf(values, [&in](T& element) { Codec<Element>::read(in, element); });
        }
    }
};

}    // namespace ferry
