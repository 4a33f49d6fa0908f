#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <ferry/serialization/codec/CodecSequence.hpp>

// forward_list and valarray travel as a list and a vector do: the count, then the elements. A valarray of numbers or plain structs without
// gaps is copied in one piece.

namespace ferry {

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Forward)
struct Codec<T> {
    using Element = typename T::value_type;

    static_assert(detail::requireNoLoss<T>());
    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::Writable<Element>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<Element>;

    static void write(IntWriter& out, const T& container) {
        detail::requireWritable<Element>();
        std::size_t count = 0;
        for ([[maybe_unused]] const Element& element : container) ++count;
        out.writeCount(count);
        const IntWriter::Nesting nesting(out);
        for (const Element& element : container) detail::writeElement(out, element);
        if constexpr (ferry::detail::minInts<Element> == 0) out.noteEmptyElements(count, 0);
    }

    static void read(IntReader& in, T& container) {
        detail::requireWritable<Element>();
        static_assert(std::is_default_constructible_v<Element>, "ferry: elements of a container need a default constructor to be read");
        detail::requireMadeReady<Element>();
        container.clear();
        const std::size_t count = in.readCount(ferry::detail::minInts<Element>);
        in.charge(count, sizeof(Element));
        if constexpr (detail::isRoomy<Element> && ferry::detail::minInts<Element> != 0) in.chargeRoomy(count, sizeof(Element));
        const IntReader::Nesting nesting(in);
        IntReader::KeptBack following(in, count, ferry::detail::minInts<Element>);
        auto last = container.before_begin();
        std::size_t i = 0;
        try {
            for (; i < count; ++i) {
                following.release();
                last = container.emplace_after(last);
                detail::readElement(in, *last);
            }
        } catch (...) {
            detail::rethrowFromElement(i);
        }
    }
};

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Numbers)
struct Codec<T> {
    using Element = typename T::value_type;

    static_assert(detail::requireNoLoss<T>());
    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::Writable<Element>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<Element>;

    static void write(IntWriter& out, const T& numbers) {
        detail::requireWritable<Element>();
        if constexpr (detail::Bulk<Element>) {
            out.writeArray<sizeof(Element), detail::grainBytes<Element>>(numbers.size(), firstOf(numbers));
        } else {
            detail::noteUnnumbered(out, firstOf(numbers), numbers.size());
            out.writeCount(numbers.size());
            const IntWriter::Nesting nesting(out);
            for (std::size_t i = 0; i < numbers.size(); ++i) detail::writeElement(out, numbers[i]);
            if constexpr (ferry::detail::minInts<Element> == 0) out.noteEmptyElements(numbers.size(), 0);
        }
    }

    static void read(IntReader& in, T& numbers) {
        detail::requireWritable<Element>();
        detail::requireMadeReady<Element>();
        if constexpr (detail::Bulk<Element>) {
            const std::size_t count = in.readPackedCount(sizeof(Element) * 8);
            in.chargePacked(count, sizeof(Element));
            if (count != numbers.size()) numbers.resize(count);
            if (count != 0) in.readBytes<detail::grainBytes<Element>>(std::addressof(numbers[0]), count * sizeof(Element));
        } else {
            const std::size_t count = in.readCount(ferry::detail::minInts<Element>);
            in.charge(count, sizeof(Element));
            if constexpr (detail::isRoomy<Element>) in.chargeRoomy(count, sizeof(Element));    // all are made before the first one is read
            const IntReader::Nesting nesting(in);
            IntReader::KeptBack following(in, count, ferry::detail::minInts<Element>);
            if (count != numbers.size()) numbers.resize(count);
            std::size_t i = 0;
            try {
                for (; i < count; ++i) {
                    following.release();
                    Codec<Element>::read(in, numbers[i]);
                }
            } catch (...) {
                detail::rethrowFromElement(i);
            }
        }
    }

private:
    static const Element* firstOf(const T& numbers) { return numbers.size() == 0 ? nullptr : std::addressof(numbers[0]); }
};

}    // namespace ferry
