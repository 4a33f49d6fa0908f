#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ferry/serialization/codec/CodecPointedArray.hpp>
#include <ferry/serialization/codec/CodecViewRange.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>

// Parts of objects that are not a single member. Arrays behind pointers travel as the members that hold their lengths, then the elements of
// each array. A bit-field travels as a value of its type.

namespace ferry {

namespace detail {

[[noreturn]] void failNullArray();
[[noreturn]] void failBitField(const IntReader& in);

/// Writes the part of the object that the view shows, or the whole object.
template <class ViewOfObject, class T>
void writePart(IntWriter& out, const T& object) {
    if constexpr (std::is_same_v<ViewOfObject, Whole>)
        writeValue(out, object);
    else
        writeValue(out, Part<ViewOfObject, const T>{object});
}
template <class ViewOfObject, class T>
void readPart(IntReader& in, T& object) {
    if constexpr (std::is_same_v<ViewOfObject, Whole>)
        readValue(in, object);
    else
        readPartOf<Part<ViewOfObject, T>>(in, object);
}
template <class ViewOfObject, class T>
consteval std::size_t minIntsOfPart() {
    if constexpr (std::is_same_v<ViewOfObject, Whole>)
        return ferry::detail::minInts<T>;
    else
        return ferry::detail::minInts<Part<ViewOfObject, T>>;
}

template <class Pointer>
using ArrayElement = std::remove_cvref_t<decltype(std::declval<const Pointer&>()[0])>;

template <class ViewOfElement, class Pointer>
void writeArrayAt(IntWriter& out, const Pointer& array, std::size_t count) {
    using Element = ArrayElement<Pointer>;
    if (count == 0) return;
    if (array == nullptr) failNullArray();
    noteUnnumbered<Element>(out, std::addressof(array[0]), count);
    if constexpr (std::is_same_v<ViewOfElement, Whole> && Bulk<Element>) {
        out.writeElements<grainBytes<Element>>(std::addressof(array[0]), count * sizeof(Element));
    } else if constexpr (isPlanned<Part<ViewOfElement, const Element>>) {
        const std::span<const Element> elements(std::addressof(array[0]), count);
        writePlanned<ViewOfElement>(out, elements, count);
    } else {
        const IntWriter::Nesting nesting(out);
        for (std::size_t i = 0; i < count; ++i) writePart<ViewOfElement, Element>(out, array[i]);
    }
}

/// Allocates and frees the memory of arrays.
template <class Memory, class Element>
struct ArrayMemory {
    using Owner = std::unique_ptr<Element[]>;
    static Owner make(std::size_t count) { return std::make_unique<Element[]>(count); }
    static void drop(const Element* array) noexcept { delete[] array; }
};
struct FreeMemory {
    void operator()(void* memory) const noexcept { std::free(memory); }
};
template <class Element>
struct ArrayMemory<FromMalloc, Element> {
    static_assert(std::is_trivially_destructible_v<Element> && alignof(Element) <= alignof(std::max_align_t),
                  "ferry: the elements of an array from malloc have no destructor, which free() would not call");
    using Owner = std::unique_ptr<Element[], FreeMemory>;
    static Owner make(std::size_t count) {
        void* memory = std::calloc(count, sizeof(Element));
        if (memory == nullptr) throw std::bad_alloc();
        auto* elements = static_cast<Element*>(memory);
        std::uninitialized_value_construct_n(elements, count);
        return Owner(elements);
    }
    static void drop(const Element* array) noexcept { std::free(const_cast<Element*>(array)); }
};

/// Deletes the objects of an array of raw pointers that own, and frees the array.
template <class Memory, class Pointer>
class OwnersArray {
public:
    OwnersArray(typename ArrayMemory<Memory, Pointer>::Owner array, std::size_t count) noexcept : array_(std::move(array)), count_(count) {}
    OwnersArray(OwnersArray&& other) noexcept : array_(std::move(other.array_)), count_(std::exchange(other.count_, 0)) {}
    OwnersArray& operator=(OwnersArray&&) = delete;
    ~OwnersArray() {
        for (std::size_t i = 0; i < count_; ++i) delete array_[i];
    }
    Pointer* get() const noexcept { return array_.get(); }
    Pointer& operator[](std::size_t index) const noexcept { return array_[index]; }
    Pointer* release() noexcept {
        count_ = 0;
        return array_.release();
    }

private:
    typename ArrayMemory<Memory, Pointer>::Owner array_;
    std::size_t count_;
};

/// The owner of an array that is being read.
template <class ViewOfElement, class Element, class Memory>
struct ArrayOwner {
    using Type = typename ArrayMemory<Memory, Element>::Owner;
    static Type make(std::size_t count) { return ArrayMemory<Memory, Element>::make(count); }
    static Type none() { return nullptr; }
};
template <class ViewOfElement, class Element, class Memory>
    requires areOwners<ViewOfElement, Element>
struct ArrayOwner<ViewOfElement, Element, Memory> {
    using Type = OwnersArray<Memory, Element>;
    static Type make(std::size_t count) { return {ArrayMemory<Memory, Element>::make(count), count}; }
    static Type none() { return {nullptr, 0}; }
};

template <class ViewOfElement, class Element, class Memory>
typename ArrayOwner<ViewOfElement, Element, Memory>::Type readArrayAt(IntReader& in, std::size_t count) {
    static_assert(std::is_default_constructible_v<Element>, "ferry: elements of an array need a default constructor to be read");
    requireMadeReady<Element>();
    if (count == 0) return ArrayOwner<ViewOfElement, Element, Memory>::none();
    if constexpr (std::is_same_v<ViewOfElement, Whole> && Bulk<Element>) {
        in.requirePacked(count, sizeof(Element) * 8);
        in.charge(count, sizeof(Element));
        auto array = ArrayOwner<ViewOfElement, Element, Memory>::make(count);
        in.readBytes<grainBytes<Element>>(array.get(), count * sizeof(Element));
        return array;
    } else {
        constexpr std::size_t elementInts = minIntsOfPart<ViewOfElement, Element>();
        static_assert(elementInts != 0, "ferry: elements of an array behind a pointer must take an int at least");
        in.requirePacked(count, elementInts * 32);
        in.charge(count, sizeof(Element));
        if constexpr (ReadLimits::isRoomy(sizeof(Element), elementInts)) in.chargeRoomy(count, sizeof(Element));
        auto array = ArrayOwner<ViewOfElement, Element, Memory>::make(count);
        if constexpr (takesAnyInts<Part<ViewOfElement, Element>>) {
            const std::int32_t* source = in.take(count * elementInts);
            for (std::size_t i = 0; i < count; ++i) source = Codec<Part<ViewOfElement, Element>>::get(source, {array[i]}, in);
            return array;
        }
        const IntReader::Nesting nesting(in);
        IntReader::KeptBack following(in, count, elementInts);
        std::size_t i = 0;
        try {
            for (; i < count; ++i) {
                following.release();
                readPart<ViewOfElement>(in, array[i]);
            }
        } catch (...) {
            rethrowFromElement(i);
        }
        return array;
    }
}

template <class Memory, class Element, class Owner>
void replaceArray(Element*& array, Owner replacement) noexcept {
    ArrayMemory<Memory, std::remove_const_t<Element>>::drop(array);
    array = replacement.release();
}
template <class Memory, class Element>
void replaceArray(std::unique_ptr<Element[]>& array, std::unique_ptr<std::remove_const_t<Element>[]> replacement) noexcept {
    array = std::move(replacement);
}

}    // namespace detail

template <auto... Lengths, auto... Pointers, class... Views, class... Memories, class T>
struct Codec<detail::CountedPart<detail::Counted<CountedBy<Lengths...>, ArrayAt<Pointers, Views, Memories>...>, T>> {
    using Arrays = detail::CountedPart<detail::Counted<CountedBy<Lengths...>, ArrayAt<Pointers, Views, Memories>...>, T>;
    template <auto Member>
    using MemberType = std::remove_cvref_t<decltype(detail::shown(std::declval<T&>(), Member))>;

    static_assert((std::is_integral_v<MemberType<Lengths>> && ...), "ferry: the length of an array is an integer");
    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = sizeof...(Lengths);

    static void write(IntWriter& out, const Arrays& arrays) {
        std::size_t count = 0;
        if (!detail::multiplyLengths(count, detail::shown(arrays.object, Lengths)...)) detail::failArrayCount();
        (out.writeCount(static_cast<std::size_t>(detail::shown(arrays.object, Lengths))), ...);
        (detail::writeArrayAt<Views>(out, detail::shown(arrays.object, Pointers), count), ...);
    }

    /// The object changes only after everything has been read.
    static void read(IntReader& in, const Arrays& arrays) {
        std::tuple<MemberType<Lengths>...> lengths{};
        std::size_t count = 0;
        const bool isHeld = std::apply(
            [&](auto&... each) {
                (detail::readLength(in, each), ...);
                return detail::multiplyLengths(count, each...);
            },
            lengths);
        if (!isHeld) in.fail("an array that memory can hold", "one of more than 2^64 elements");
        std::tuple<typename detail::ArrayOwner<Views, detail::ArrayElement<MemberType<Pointers>>, Memories>::Type...> made{
            detail::readArrayAt<Views, detail::ArrayElement<MemberType<Pointers>>, Memories>(in, count)...};
        std::size_t oldCount = 0;
        if (!detail::multiplyLengths(oldCount, detail::shown(arrays.object, Lengths)...)) oldCount = 0;
        (deleteOwned<Views>(detail::shown(arrays.object, Pointers), oldCount), ...);
        std::apply([&](auto&... each) { (detail::replaceArray<Memories>(detail::shown(arrays.object, Pointers), std::move(each)), ...); },
                   made);
        std::apply([&](const auto&... each) { ((detail::shown(arrays.object, Lengths) = each), ...); }, lengths);
    }

private:
    /// Deletes the objects of pointers that own.
    template <class ViewOfElement, class Pointer>
    static void deleteOwned([[maybe_unused]] const Pointer& array, [[maybe_unused]] std::size_t count) noexcept {
        if constexpr (detail::areOwners<ViewOfElement, detail::ArrayElement<Pointer>>) {
            for (std::size_t i = 0; array != nullptr && i < count; ++i) delete array[i];
        }
    }
};

template <class Access, class T>
struct Codec<detail::BitFieldPart<Access, T>> {
    using Value = typename Access::Value;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = ferry::detail::minInts<Value>;

    static void write(IntWriter& out, const detail::BitFieldPart<Access, T>& field) {
        detail::writeValue(out, Value(Access::get(field.object)));
    }
    static void read(IntReader& in, const detail::BitFieldPart<Access, T>& field) {
        Value value{};
        detail::readValue(in, value);
        Access::set(field.object, value);
        if (Value(Access::get(field.object)) != value) detail::failBitField(in);
    }
};

}    // namespace ferry
