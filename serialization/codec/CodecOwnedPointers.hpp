#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include <ferry/serialization/codec/CodecOwned.hpp>

// Several raw pointers that own: an array or a container of them, or an array behind a pointer. They travel as the same number of
// unique_ptr in the same container. An array behind a pointer travels as its lengths and its pointers, also inside a graph.

namespace ferry {

namespace detail {

/// The pointers of an array or container. Each pointer owns its object. ferry::owned makes one.
template <class Container>
struct OwnedPointers {
    Container& pointers;
};

/// An array that a raw pointer owns, together with the objects of its pointers. ferry::owned makes one.
template <class Pointer, class... Counts>
struct OwnedPointerArray {
    Pointer& first;
    std::tuple<Counts&...> counts;
    std::size_t oldCount;    ///< number of pointers before reading; another array with the same count may be read, or released, first
    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
    std::size_t arrived = nothing;       ///< number of pointers that were read, if the array was read
    ReferenceReader* graph = nullptr;    ///< the reader of the graph that brought the array, if any
};

/// Whether the pointers of a container can be changed in their places, and their number with resize().
template <class Container>
concept PointerSequence = requires(Container& pointers, std::size_t count) {
    { *std::begin(pointers) } -> std::same_as<typename Container::value_type&>;
    pointers.resize(count);
};
template <class Container>
inline constexpr bool isPointerArray = std::is_array_v<Container>;
template <class Pointer, std::size_t N>
inline constexpr bool isPointerArray<std::array<Pointer, N>> = true;

/// The compiler's errors for a container of pointers.
template <class Container>
struct OwnedPointersCheck {
    static constexpr bool isRight = isPointerArray<Container> || PointerSequence<Container>;
    static_assert(
        isRight,
        "ferry: ferry::owned takes an array, std::array, std::vector, std::deque or std::list of raw pointers: let other containers "
        "(see Container) hold a std::unique_ptr, and list them by their name alone");
};

/// The compiler's errors for pointers with a count.
template <class Pointer, class... Counts>
struct OwnedPointerArrayCheck {
    static constexpr bool isFixed = HoldsPointers<Pointer>;
    static constexpr bool isArray = !isFixed && std::is_pointer_v<Pointer>;
    static constexpr bool isOfPointers = isArray && std::is_pointer_v<std::remove_pointer_t<Pointer>>;
    static constexpr bool areCounts = (std::is_integral_v<Counts> && ...);
    static_assert(
        !isFixed,
        "ferry: an array or container of pointers knows their number: use ferry::owned(pointers), list the count as a field of its "
        "own, and set unused pointers to null");
    static_assert(isFixed || isOfPointers,
                  "ferry: ferry::owned(pointers, count) takes a pointer to pointers (Node**): for an array of objects (Node*) use "
                  "ferry::ownedArray(first, count)");
    static_assert(areCounts, "ferry: the number of pointers in ferry::owned(pointers, count) is a member of an integer type");
    static constexpr bool isRight = isOfPointers && areCounts;
};

}    // namespace detail

/// A field: an array or container of raw pointers whose objects the class deletes. FERRY_FIELDS(value, ferry::owned(children)) lists one,
/// where children is a Node*[8], std::array<Node*, 8>, std::vector<Node*>, std::deque<Node*>
/// or std::list<Node*>.
///
/// Ownership: each pointer is null or leads to one object made with new, which the destructor of the class deletes. Reading deletes the old
///            objects. When reading fails, each pointer is null or leads to an object that may be deleted.
/// Errors: those of ferry::owned for each pointer.
/// Wire form: that of the container with unique_ptr as its elements (docs/wire-format.md).
template <detail::HoldsPointers Container>
detail::OwnedPointers<Container> owned(Container& pointers) {
    static_cast<void>(detail::OwnedPointersCheck<std::remove_const_t<Container>>::isRight);
    return {pointers};
}

/// A field: an array of raw pointers which the class deletes together with the objects. FERRY_FIELDS(value, ferry::owned(children,
/// childCount)) lists one, where children is a Node**. The number of pointers is the product of the
/// counts, which are integers of any type. Do not list the counts as fields, too. Several arrays may have one count; a class that writes
/// itself then reads the pointers before the other arrays.
///
/// Ownership: `first` is null or leads to an array made with new[]. Each of its pointers is null or leads to one object made with new.
///            Reading deletes the old objects and the old array. When reading fails, the array is null and the counts are 0, or each
///            pointer is null or leads to an object that may be deleted. Inside a graph no other pointer leads to the array.
/// Errors: those of ferry::owned for each pointer, and those of ferry::ownedArray for the counts.
/// Wire form: the counts and the pointers; with one count as a std::vector of unique_ptr (docs/wire-format.md).
template <class Pointer, class... Counts>
    requires(sizeof...(Counts) > 0)
detail::OwnedPointerArray<Pointer, Counts...> owned(Pointer& first, Counts&... counts) {
    if constexpr (detail::OwnedPointerArrayCheck<std::remove_cv_t<Pointer>, std::remove_cv_t<Counts>...>::isRight) {
        std::size_t count = 0;
        return {first, {counts...}, detail::multiplyLengths(count, counts...) ? count : 0};
    } else {
        return {first, {counts...}, 0};
    }
}

namespace detail {

template <class Container>
inline constexpr bool isFieldProxy<OwnedPointers<Container>> = true;
template <class Container>
inline constexpr bool isOwner<OwnedPointers<Container>> = true;
template <class Pointer, class... Counts>
inline constexpr bool isFieldProxy<OwnedPointerArray<Pointer, Counts...>> = true;
template <class Pointer, class... Counts>
inline constexpr bool isOwner<OwnedPointerArray<Pointer, Counts...>> = true;

/// Calls the function with each pointer of an array of any dimension, or of a container.
template <class Container, class Function>
void forEachPointer(Container& pointers, const Function& function) {
    for (auto& each : pointers) {
        if constexpr (std::is_array_v<std::remove_reference_t<decltype(each)>>)
            forEachPointer(each, function);
        else
            function(each);
    }
}

/// Reads owned pointers, one after the other. count: of all pointers, also those in arrays of arrays.
template <class Pointers>
void readOwnedPointers(IntReader& in, Pointers& pointers, std::size_t count) {
    IntReader::KeptBack following(in, count, 1);
    std::size_t index = 0;
    try {
        forEachPointer(pointers, [&]<class Pointer>(Pointer& pointer) {
            following.release();
            Codec<OwnedPointer<Pointer>>::read(in, {pointer});
            ++index;
        });
    } catch (...) {
        rethrowFromElement(index);
    }
}

template <class Container>
inline constexpr std::size_t pointerCount = 0;
template <class Element, std::size_t N>
inline constexpr std::size_t pointerCount<Element[N]> = N*(std::is_array_v<Element> ? pointerCount<Element> : 1);
template <class Pointer, std::size_t N>
inline constexpr std::size_t pointerCount<std::array<Pointer, N>> = N;

}    // namespace detail

template <class Container>
struct Codec<detail::OwnedPointers<Container>> {
    using Pointers = std::remove_const_t<Container>;
    using Owner = detail::OwnedPointers<Container>;
    static constexpr bool isSequence = !detail::isPointerArray<Pointers>;
    static constexpr bool isRight = isSequence ? detail::PointerSequence<Pointers> : true;

    static constexpr std::size_t minInts = isSequence ? 1 : detail::pointerCount<Pointers>;
    static constexpr bool isWritable = true;    // write and read report a reason why not

    static void write(IntWriter& out, const Owner& owner, const detail::OwnerField* field = nullptr) {
        if constexpr (isRight) {
            if constexpr (isSequence) out.writeCount(owner.pointers.size());
            detail::forEachPointer(owner.pointers, [&]<class Pointer>(Pointer& pointer) {
                Codec<detail::OwnedPointer<Pointer>>::write(out, {pointer}, field);
            });
        }
    }

    static void read(IntReader& in, const Owner& owner) {
        static_assert(!std::is_const_v<Container>, "ferry: constant pointers can be written, but not read into: take const off the field");
        if constexpr (isRight && !std::is_const_v<Container>) {
            clear(owner.pointers);
            std::size_t count = detail::pointerCount<Pointers>;
            if constexpr (isSequence) {
                count = in.readCount(1);
                in.charge(count, sizeof(typename Pointers::value_type));
                owner.pointers.clear();
                owner.pointers.resize(count);
            }
            detail::readOwnedPointers(in, owner.pointers, count);
        }
    }

    /// Moves the objects of another owner to this owner.
    static void assign(const Owner& owner, const Owner& other) noexcept {
        clear(owner.pointers);
        std::swap(owner.pointers, other.pointers);
    }

private:
    static void clear(Pointers& pointers) noexcept {
        detail::forEachPointer(pointers, [](auto& pointer) { delete std::exchange(pointer, nullptr); });
    }
};

/// A member that ferry::owned has refused.
template <class Pointer, class... Counts>
struct Codec<detail::OwnedPointerArray<Pointer, Counts...>> {
    static constexpr std::size_t minInts = sizeof...(Counts);
    static constexpr bool isWritable = true;
    static void write(IntWriter&, const detail::OwnedPointerArray<Pointer, Counts...>&, const detail::OwnerField* = nullptr) {}
    static void read(IntReader&, const detail::OwnedPointerArray<Pointer, Counts...>&) {}
};

template <class Pointer, class... Counts>
    requires(detail::OwnedPointerArrayCheck<std::remove_const_t<Pointer>, std::remove_const_t<Counts>...>::isRight)
struct Codec<detail::OwnedPointerArray<Pointer, Counts...>> {
    using Element = std::remove_const_t<std::remove_pointer_t<Pointer>>;    // a pointer
    using Owner = detail::OwnedPointerArray<Pointer, Counts...>;
    static constexpr std::size_t minInts = sizeof...(Counts);
    static constexpr bool isWritable = true;    // write and read report a reason why not

    static void write(IntWriter& out, const Owner& owner, const detail::OwnerField* field = nullptr) {
        const std::size_t count = owner.oldCount;
        if (out.references() == nullptr || out.references()->isWriting()) {
            std::size_t length = 0;
            if (!countOf(owner, length)) detail::failArrayCount();
            if (count != 0 && owner.first == nullptr) detail::failNullArray();
            std::apply([&out](const auto&... counts) { (out.writeCount(static_cast<std::size_t>(counts)), ...); }, owner.counts);
        } else if (owner.first == nullptr) {
            return;    // the visitor of a graph looks at an object that was not read whole
        }
        for (std::size_t i = 0; i < count; ++i) Codec<detail::OwnedPointer<const Element>>::write(out, {owner.first[i]}, field);
    }

    static void read(IntReader& in, Owner& owner) {
        static_assert(!std::is_const_v<Pointer> && !std::is_const_v<std::remove_pointer_t<Pointer>>,
                      "ferry: constant pointers can be written, but not read into: take const off the field");
        std::tuple<Counts...> lengths{};
        const std::size_t count = readCounts(in, lengths);
        auto made = count == 0 ? nullptr : std::make_unique<Element[]>(count);
        deleteAll(owner);
        owner.first = made.release();
        owner.counts = lengths;
        owner.arrived = count;
        owner.graph = in.references();
        Range pointers{owner.first, count};
        detail::readOwnedPointers(in, pointers, count);
    }

    static bool hasCome(const Owner& owner) noexcept { return owner.arrived != Owner::nothing; }
    /// Whether the counts are still as they came. Another array with one of these counts may have brought another length.
    static bool hasArrived(const Owner& owner) noexcept {
        std::size_t count = 0;
        return owner.arrived == Owner::nothing || (countOf(owner, count) && count == owner.arrived);
    }
    /// Deletes the objects and the array, and sets the counts to 0. Inside a graph, the graph gets the objects back: to delete them here
    /// could recurse deeply.
    static void clear(const Owner& owner) noexcept {
        if (owner.graph != nullptr) giveBack(owner);
        deleteAll(owner);
        std::apply([](auto&... counts) { ((counts = 0), ...); }, owner.counts);
    }

    /// Moves the objects of another owner to this owner. The other one keeps its array, whose length another array may share.
    static void assign(const Owner& owner, const Owner& other) {
        auto made = other.oldCount == 0 ? nullptr : std::make_unique<Element[]>(other.oldCount);
        deleteAll(owner);
        for (std::size_t i = 0; i < other.oldCount; ++i) made[i] = std::exchange(other.first[i], nullptr);
        owner.first = made.release();
        std::apply([&](auto&... counts) { std::apply([&](auto&... others) { ((counts = others), ...); }, other.counts); }, owner.counts);
    }

private:
    struct Range {
        Element* first;
        std::size_t count;
        Element* begin() const noexcept { return first; }
        Element* end() const noexcept { return first + count; }
    };

    static bool countOf(const Owner& owner, std::size_t& count) noexcept {
        return std::apply([&count](const auto&... counts) { return detail::multiplyLengths(count, counts...); }, owner.counts);
    }
    /// Reads the lengths of an array whose pointers are in the remaining ints.
    static std::size_t readCounts(IntReader& in, std::tuple<Counts...>& lengths) {
        std::size_t count = 0;
        const bool isLength = std::apply(
            [&](auto&... each) {
                (detail::readLength(in, each), ...);
                return detail::multiplyLengths(count, each...);
            },
            lengths);
        if (!isLength) in.fail("an array that memory can hold", "one of more than 2^64 elements");
        in.requirePacked(count, 32);
        in.charge(count, sizeof(Element));
        return count;
    }
    /// Deletes the objects and the array.
    static void deleteAll(const Owner& owner) noexcept {
        const std::size_t count = owner.arrived == Owner::nothing ? owner.oldCount : owner.arrived;
        for (std::size_t i = 0; owner.first != nullptr && i < count; ++i) delete owner.first[i];
        delete[] std::exchange(owner.first, nullptr);
    }
    /// Leaves the objects that have come to the graph.
    static void giveBack(const Owner& owner) noexcept {
        using Object = std::remove_const_t<std::remove_pointer_t<Element>>;
        const Range pointers{owner.first, owner.first == nullptr ? 0 : owner.arrived};
        constexpr std::size_t Most = 256;
        std::array<const void*, Most> addresses;
        std::size_t count = 0;
        for (Element& pointer : pointers) {
            if (pointer != nullptr) addresses[count++] = detail::pointeeAddress<Object>(std::exchange(pointer, nullptr));
            if (count == Most || (count != 0 && &pointer + 1 == pointers.end())) {
                owner.graph->takeBack(addresses.data(), count);
                count = 0;
            }
        }
    }
};

namespace detail {

/// For a class that writes and reads itself: out << ferry::owned(children), in >> ferry::owned(children).
template <class Container>
IntReader& operator>>(IntReader& in, OwnedPointers<Container>&& owner) {
    return in >> owner;
}
template <class Pointer, class... Counts>
IntReader& operator>>(IntReader& in, OwnedPointerArray<Pointer, Counts...>&& owner) {
    return in >> owner;
}

}    // namespace detail

}    // namespace ferry
