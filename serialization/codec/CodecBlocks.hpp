#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <ferry/serialization/ints/BlockLayout.hpp>
#include <ferry/serialization/ints/CodecTraits.hpp>

// Parts of the elements of a contiguous container. The sender lends the parts at their place in memory. The receiver fetches them to their
// place in its memory. So neither side packs them. The offsets of the members are taken from the first element. The program states none.

namespace ferry::detail {

/// Whether a codec can report where in memory the ints of an element are: addRuns(layout, element).
template <class ElementCodec>
concept HasRuns = ElementCodec::hasRuns;

/// Adds the places of an object's members, relative to the object's address. The memory of each member must be exactly its ints.
template <class... Members>
void addMemberRuns(BlockLayout& blocks, const void* object, const Members&... members) {
    const auto* begin = static_cast<const std::byte*>(object);
    (blocks.addRun(reinterpret_cast<const std::byte*>(std::addressof(members)) - begin, sizeof(Members)), ...);
}

/// Returns the layout of a container's elements. show(element): the argument for ElementCodec::addRuns. There must be at least one element.
template <class ElementCodec, class Container, class Show>
BlockLayout blocksOf(Container& elements, const Show& show) {
    BlockLayout blocks;
    blocks.elementCount = elements.size();
    blocks.strideBytes = sizeof(typename Container::value_type);
    ElementCodec::addRuns(blocks, show(*elements.data()));
    return blocks;
}

/// Lends the elements if that costs less than copying. Returns false if the caller must copy them.
template <class ElementCodec, class Container, class Show>
bool lendBlocks(IntWriter& out, Container& elements, const Show& show) {
    if (!out.lends(elements.size() * ElementCodec::fixedInts * sizeof(std::int32_t))) [[likely]]
        return false;
    return out.borrowBlocks(reinterpret_cast<const std::byte*>(elements.data()), blocksOf<ElementCodec>(elements, show));
}

/// Fetches absent elements to their place in the container, or in a span of this size. place: where their ints would begin in the message.
/// Returns false if the elements are not absent.
template <class ElementCodec, class Container, class Show>
bool fetchBlocks(IntReader& in, const std::int32_t* place, Container& elements, std::size_t count, const Show& show) {
    if (count == 0 || !in.isAbsent(place)) [[likely]]
        return false;
    if constexpr (requires { elements.resize(count); }) elements.resize(count);
    in.fetchAbsent(place, reinterpret_cast<std::byte*>(elements.data()), blocksOf<ElementCodec>(elements, show));
    return true;
}

}    // namespace ferry::detail
