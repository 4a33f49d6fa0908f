#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <ferry/serialization/ints/BlockLayout.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>

// Parts of the elements of a contiguous container, lent from where they lie and fetched to where they belong: with nothing packed on either
// side. The offsets of members are those of the first element, so that none is written down anywhere.

namespace ferry::detail {

/// Whether a codec can say where in memory the ints of an element are: addRuns(layout, element).
template <class ElementCodec>
concept HasRuns = ElementCodec::hasRuns;

/// Adds where the members of an object lie, from the object's address on. Their memory is exactly their ints.
template <class... Members>
void addMemberRuns(BlockLayout& blocks, const void* object, const Members&... members) {
    const auto* begin = static_cast<const std::byte*>(object);
    (blocks.addRun(reinterpret_cast<const std::byte*>(std::addressof(members)) - begin, sizeof(Members)), ...);
}

/// show(element) is what the codec takes. There must be an element.
template <class ElementCodec, class Container, class Show>
BlockLayout blocksOf(Container& elements, const Show& show) {
    BlockLayout blocks;
    blocks.elementCount = elements.size();
    blocks.strideBytes = sizeof(typename Container::value_type);
    ElementCodec::addRuns(blocks, show(*elements.data()));
    return blocks;
}

/// Lends the elements when that pays. False: they are to be copied.
template <class ElementCodec, class Container, class Show>
bool lendBlocks(IntWriter& out, Container& elements, const Show& show) {
    if (!out.lends(elements.size() * ElementCodec::fixedInts * sizeof(std::int32_t))) [[likely]]
        return false;
    return out.borrowBlocks(reinterpret_cast<const std::byte*>(elements.data()), blocksOf<ElementCodec>(elements, show));
}

/// Brings elements that are elsewhere to where they belong; their ints would begin at the place. False: they are there.
template <class ElementCodec, class Container, class Show>
bool fetchBlocks(IntReader& in, const std::int32_t* place, Container& elements, std::size_t count, const Show& show) {
    if (count == 0 || !in.isAbsent(place)) [[likely]]
        return false;
    elements.resize(count);
    in.fetchAbsent(place, reinterpret_cast<std::byte*>(elements.data()), blocksOf<ElementCodec>(elements, show));
    return true;
}

}    // namespace ferry::detail
