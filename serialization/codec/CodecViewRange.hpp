#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include <ferry/serialization/codec/CodecView.hpp>

// A view of one part of each object in a container travels as the count, then the parts. An array of fixed size travels as the parts alone.
//
// If each part takes the same number of ints, the writer claims room once and fills it in a loop with constant sizes and places. The loop
// is the copy plan of a view. The compiler derives it from the pointers to members, so that the program states no offset.

namespace ferry {

namespace detail {

/// Whether parts are put side by side. Large fields are excluded, because they can be lent.
template <class ShownPart>
inline constexpr bool isPlanned = ferry::detail::fixedInts<ShownPart> != 0 && !isLargeField<ShownPart>;

/// Whether a view says that raw pointers own their objects.
template <class ViewOfObject>
inline constexpr bool isOwnersView = false;
template <class ViewOfObject>
inline constexpr bool isOwnersView<Owned<ViewOfObject>> = true;
template <class... Choices>
inline constexpr bool isOwnersView<OneOf<Choices...>> = true;
/// Whether the elements of a container or array are raw pointers that own.
template <class ViewOfObject, class Element>
inline constexpr bool areOwners = std::is_pointer_v<std::remove_const_t<Element>>&& isOwnersView<ViewOfObject>;

template <class ViewOfObject, class Elements>
[[gnu::always_inline]] inline void writePlanned(IntWriter& out, Elements& elements, std::size_t count) {
    using Element = std::remove_reference_t<decltype(*std::begin(elements))>;
    using ElementPart = Part<ViewOfObject, Element>;
    std::int32_t* target = out.claim(count * ferry::detail::fixedInts<ElementPart>);
    for (Element& element : elements) target = Codec<ElementPart>::put(target, ElementPart{element});
}

template <class ElementPart, std::size_t N>
struct PartArrayBase {
    static constexpr std::size_t minInts = N * ferry::detail::minInts<ElementPart>;
};
template <class ElementPart, std::size_t N>
    requires(N != 0 && takesAnyInts<ElementPart>)
struct PartArrayBase<ElementPart, N> {
    static constexpr std::size_t fixedInts = N * ferry::detail::fixedInts<ElementPart>;
    static constexpr bool takesAnyInts = true;
};

}    // namespace detail

template <class ViewOfObject, class T>
    requires(detail::codecKind<std::remove_const_t<T>> == detail::CodecKind::Sequence)
struct Codec<detail::Part<ViewOfObject, T>> {
    using Shown = detail::Part<ViewOfObject, T>;
    using Element = std::remove_reference_t<decltype(*std::declval<T&>().begin())>;
    using ElementPart = detail::Part<ViewOfObject, Element>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = 1;
    static constexpr bool isInBlocks = detail::Contiguous<T> && detail::HasRuns<Codec<ElementPart>>;
    static constexpr std::size_t minIntsOfElement = ferry::detail::minInts<ElementPart>;    // nvcc parses no such argument in place

    static ElementPart show(Element& element) { return {element}; }

    static void write(IntWriter& out, const Shown& part) {
        if constexpr (detail::Contiguous<T>) {
            detail::noteUnnumbered<std::remove_const_t<Element>>(out, part.object.data(), part.object.size());
        }
        out.writeCount(part.object.size());
        if constexpr (isInBlocks) {
            if (detail::lendBlocks<Codec<ElementPart>>(out, part.object, show)) return;
        }
        if constexpr (detail::isPlanned<ElementPart>) {
            detail::writePlanned<ViewOfObject>(out, part.object, part.object.size());
        } else {
            const IntWriter::Nesting nesting(out);
            for (Element& element : part.object) detail::writeValue(out, ElementPart{element});
        }
    }
    static void read(IntReader& in, const Shown& part) {
        const std::size_t count = in.readCount(ferry::detail::minInts<ElementPart>);
        in.charge(count, sizeof(Element));
        constexpr bool isCounted = ferry::detail::minInts<ElementPart> != 0;
        if constexpr (detail::areOwners<ViewOfObject, Element>) {    // the container may get fewer pointers
            for (Element& pointer : part.object) delete std::exchange(pointer, nullptr);
        }
        if constexpr (isCounted && ReadLimits::isRoomy(sizeof(Element), ferry::detail::minInts<ElementPart>))
            detail::reserveRoomy(in, part.object, count);
        constexpr bool areMadeFirst = !detail::canGrow<T>;    // before the first element is read
        if constexpr (!isCounted && areMadeFirst) in.chargeRoomy(count, sizeof(Element));
        if constexpr (detail::takesAnyInts<ElementPart>) {
            const std::int32_t* source = in.take(count * ferry::detail::fixedInts<ElementPart>);
            if constexpr (isInBlocks) {
                if (detail::fetchBlocks<Codec<ElementPart>>(in, source, part.object, count, show)) return;
            }
            detail::readInPlace<minIntsOfElement>(
                part.object, count, [&](Element& element) { source = Codec<ElementPart>::get(source, ElementPart{element}, in); });
        } else {
            const IntReader::Nesting nesting(in);
            IntReader::KeptBack following(in, count, ferry::detail::minInts<ElementPart>);
            detail::readInPlace<minIntsOfElement>(part.object, count, [&in, &following](Element& element) {
                following.release();
                if constexpr (!isCounted && !areMadeFirst) in.chargeRoomy(1, sizeof(Element));
                detail::readPartOf<ElementPart>(in, element);
            });
        }
    }
};

template <class ViewOfObject, class T>
    requires detail::isFixedArray<std::remove_const_t<T>>
struct Codec<detail::Part<ViewOfObject, T>>
    : detail::PartArrayBase<detail::Part<ViewOfObject, std::remove_reference_t<decltype(*std::begin(std::declval<T&>()))>>,
                            detail::fixedArraySize<std::remove_const_t<T>>> {
    using Shown = detail::Part<ViewOfObject, T>;
    using Element = std::remove_reference_t<decltype(*std::begin(std::declval<T&>()))>;
    using ElementPart = detail::Part<ViewOfObject, Element>;

    static constexpr bool isWritable = true;

    static std::int32_t* put(std::int32_t* target, const Shown& part) {
        for (Element& element : part.object) target = Codec<ElementPart>::put(target, ElementPart{element});
        return target;
    }
    static const std::int32_t* get(const std::int32_t* source, const Shown& part, const IntReader& forErrors) {
        for (Element& element : part.object) source = Codec<ElementPart>::get(source, ElementPart{element}, forErrors);
        return source;
    }
    static void write(IntWriter& out, const Shown& part) {
        constexpr std::size_t count = detail::fixedArraySize<std::remove_const_t<T>>;
        if constexpr (count != 0) detail::noteUnnumbered<std::remove_const_t<Element>>(out, std::addressof(part.object[0]), count);
        if constexpr (detail::isPlanned<ElementPart>) {
            detail::writePlanned<ViewOfObject>(out, part.object, count);
        } else {
            for (Element& element : part.object) detail::writeValue(out, ElementPart{element});
        }
    }
    static void read(IntReader& in, const Shown& part) {
        detail::readElementsOf(part.object, [&in](Element& element) { detail::readPartOf<ElementPart>(in, element); });
    }
};

}    // namespace ferry
