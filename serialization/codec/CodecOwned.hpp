#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/codec/CodecPointedArray.hpp>
#include <ferry/serialization/codec/CodecPointer.hpp>
#include <ferry/serialization/codec/CodecViewArray.hpp>

// Raw pointers that own. A pointer to one object travels as a unique_ptr. An array travels as its lengths and its elements. Inside a graph
// it travels as an array behind a pointer (ferry::arrayOf).

namespace ferry {

namespace detail {

template <class Container>
consteval bool holdsPointers() {
    if constexpr (std::is_array_v<Container>)
        return std::is_pointer_v<std::remove_all_extents_t<Container>>;
    else if constexpr (requires { typename Container::value_type; })
        return std::is_pointer_v<typename Container::value_type>;
    else
        return false;
}
/// Whether a member is an array or a container of raw pointers.
template <class Member>
concept HoldsPointers = holdsPointers<std::remove_const_t<Member>>();

/// A raw pointer that owns its object. ferry::owned makes one.
template <class Pointer>
struct OwnedPointer {
    Pointer& pointer;
};

/// An array that a raw pointer owns, together with the members that hold its lengths. ferry::ownedArray makes one.
template <class Pointer, class... Counts>
struct OwnedArray {
    Pointer& pointer;
    std::tuple<Counts&...> counts;
    static constexpr std::size_t nothing = static_cast<std::size_t>(-1);
    std::size_t arrived = nothing;       ///< number of elements that were read, if the array was read
    ReferenceReader* graph = nullptr;    ///< the reader of the graph that brought the array, if any
};

/// The compiler's error for a member that is no raw pointer.
template <class Member>
struct OwnerCheck {
    static constexpr bool isPointer = std::is_pointer_v<Member>;
    static_assert(
        isPointer,
        "ferry: ferry::owned and ferry::ownedArray take a raw pointer: list any other member by its name alone (a unique_ptr says "
        "itself that it owns)");
};

/// The compiler's error for a pointer to pointers.
template <class Pointer>
struct OwnedOnceCheck {
    static constexpr bool isOne = !std::is_pointer_v<std::remove_pointer_t<Pointer>>;
    static_assert(isOne,
                  "ferry: a pointer to pointers does not tell how many there are: use ferry::owned(pointers, count), with the member that "
                  "holds their number");
};

}    // namespace detail

/// A field: a raw pointer whose object the class deletes. FERRY_FIELDS(value, ferry::owned(left), ferry::owned(right)) lists two of them.
/// The pointer travels as a std::unique_ptr does, in messages, files and graphs.
///
/// Ownership: the pointer is null or leads to one object made with new, which the destructor of the class deletes. Reading deletes the old
///            object and makes a new one. When reading fails, the pointer is null or leads to an object that may be deleted.
/// Errors: as for unique_ptr. UsageError and SerializationError for a graph with two owners of one object, or owners in a circle.
/// Wire form: that of unique_ptr (docs/wire-format.md).
///
/// For several pointers see the two other functions of this name (CodecOwnedPointers.hpp).
template <class Pointer>
    requires(!detail::HoldsPointers<Pointer>)
detail::OwnedPointer<Pointer> owned(Pointer& pointer) {
    static_cast<void>(detail::OwnerCheck<std::remove_cv_t<Pointer>>::isPointer);
    static_cast<void>(detail::OwnedOnceCheck<std::remove_cv_t<Pointer>>::isOne);
    return {pointer};
}

/// A field: an array that the class deletes with delete[]. FERRY_FIELDS(name, ferry::ownedArray(samples, sampleCount)) lists one.
/// The number of elements is the product of the counts, which are integers of any type. Do not list the counts as fields, too. Several
/// arrays may have one count. Elements that are raw pointers own nothing.
///
/// Ownership: the pointer is null or leads to the first element of an array made with new[]. Reading replaces the array and the counts
///            together and deletes the old array. When reading fails, they stay as they were, or are null and 0.
/// Errors: UsageError for a negative count, and for a null pointer whose count is not 0. SerializationError for a count that does not fit
///         the integer or the elements that came. In a graph also for two owners of one array.
/// Wire form: the counts and the elements, as of a std::vector where there is one count; in graphs as ferry::arrayOf
///            (docs/wire-format.md).
template <class Pointer, std::integral... Counts>
detail::OwnedArray<Pointer, Counts...> ownedArray(Pointer& first, Counts&... counts) {
    static_cast<void>(detail::OwnerCheck<std::remove_cv_t<Pointer>>::isPointer);
    static_assert(sizeof...(Counts) > 0, "ferry: an array behind a pointer needs the member that holds its length");
    return {first, {counts...}};
}

namespace detail {

template <class Pointer>
inline constexpr bool isFieldProxy<OwnedPointer<Pointer>> = true;
template <class Pointer, class... Counts>
inline constexpr bool isFieldProxy<OwnedArray<Pointer, Counts...>> = true;
template <class Pointer>
inline constexpr bool isOwner<OwnedPointer<Pointer>> = true;
template <class Pointer, class... Counts>
inline constexpr bool isOwner<OwnedArray<Pointer, Counts...>> = true;

template <class T>
inline constexpr bool isText = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
                               std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

/// The compiler's errors for the object of an owning pointer.
template <class T>
struct OwnedCheck {
    static constexpr bool isWrong = isText<T> || std::is_function_v<T> || isOpenFile<T>();
    static_assert(!isText<T>, "ferry: a pointer to a character does not tell how many there are: use ferry::ownedArray(pointer, count)");
    static_assert(!std::is_function_v<T>, "ferry: a pointer to a function cannot travel");
    static_assert(!isOpenFile<T>(),
                  "ferry: an open file (a pointer to FILE) cannot travel: send its path, and list the other fields with FERRY_FIELDS(...)");
};

/// Whether an object may be owned by a raw pointer. Otherwise the compiler reports the reason.
template <class T>
consteval bool requireOwned() {
    if constexpr (OwnedCheck<T>::isWrong) {
        return false;
    } else {
        requirePointee<T>();
        return isPointeeWritable<T>();
    }
}

/// The compiler's errors for the elements of an owned array.
template <class T>
struct OwnedElementCheck {
    static constexpr bool isWrong = std::is_void_v<T> || std::is_function_v<T> || std::is_abstract_v<T>;
    static_assert(!std::is_void_v<T>, "ferry: a pointer to void does not tell what to write");
    static_assert(!std::is_function_v<T>, "ferry: a pointer to a function cannot travel");
    static_assert(!std::is_abstract_v<T>, "ferry: an array cannot have elements of an abstract class");
};

template <class T>
consteval bool requireOwnedElement() {
    if constexpr (OwnedElementCheck<T>::isWrong) {
        return false;
    } else {
        requireWritable<T>();
        return Writable<T>;
    }
}
template <class T>
consteval bool findElementNeedsGraph() {
    if constexpr (std::is_void_v<T>)
        return false;
    else
        return needsGraph<T>;
}

}    // namespace detail

template <class Pointer>
struct Codec<detail::OwnedPointer<Pointer>> {
    using Object = std::remove_pointer_t<Pointer>;
    using Value = std::remove_const_t<Object>;
    using Owner = detail::OwnedPointer<Pointer>;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = true;    // write and read report a reason why not

    static void write(IntWriter& out, const Owner& owner, const detail::OwnerField* field = nullptr) {
        if constexpr (detail::requireOwned<Value>() && std::is_pointer_v<Pointer>) {
            if (out.references() != nullptr)
                out.references()->writeOwned<Object>(out, owner.pointer, field);
            else
                Codec<std::unique_ptr<Object>>::writeObject(out, owner.pointer);
        }
    }

    static void read(IntReader& in, const Owner& owner) {
        if constexpr (detail::requireOwned<Value>() && std::is_pointer_v<Pointer>) {
            static_assert(!std::is_const_v<Pointer>,
                          "ferry: a constant pointer can be written, but not read into: take const off the field");
            delete std::exchange(owner.pointer, nullptr);
            std::unique_ptr<Object> arrived;
            Codec<std::unique_ptr<Object>>::read(in, arrived);
            owner.pointer = arrived.release();
        }
    }

    /// Moves the object of another owner to this owner.
    static void assign(const Owner& owner, const Owner& other) noexcept {
        delete std::exchange(owner.pointer, std::exchange(other.pointer, nullptr));
    }
};

template <class Pointer, class... Counts>
struct Codec<detail::OwnedArray<Pointer, Counts...>> {
    using Object = std::remove_pointer_t<Pointer>;
    using Element = std::remove_const_t<Object>;
    using Owner = detail::OwnedArray<Pointer, Counts...>;

    static constexpr std::size_t minInts = sizeof...(Counts);
    static constexpr bool isWritable = true;    // write and read report a reason why not
    static constexpr bool needsGraph = detail::findElementNeedsGraph<Element>();

    static void write(IntWriter& out, const Owner& owner, const detail::OwnerField* field = nullptr) {
        if constexpr (detail::requireOwnedElement<Element>() && std::is_pointer_v<Pointer>) {
            std::size_t count = 0;
            const bool isLength =
                std::apply([&count](const auto&... counts) { return detail::multiplyLengths(count, counts...); }, owner.counts);
            if (out.references() != nullptr && !out.references()->isWriting()) {
                if (isLength && count != 0 && owner.pointer != nullptr) {
                    Owner visited = owner;
                    out.references()->visitOwnedArray(owner.pointer, count, {&visited, &releaseArray, field != nullptr});
                }
                return;
            }
            if (!isLength) detail::failArrayCount();
            if (count != 0 && owner.pointer == nullptr) detail::failNullArray();
            if constexpr (sizeof...(Counts) == 1 && detail::Bulk<Element>) {
                if (out.references() == nullptr) {
                    out.writeArray<sizeof(Element), detail::grainBytes<Element>>(count, owner.pointer);
                    return;
                }
            }
            std::apply([&out](const auto&... counts) { (out.writeCount(static_cast<std::size_t>(counts)), ...); }, owner.counts);
            if (out.references() != nullptr)
                out.references()->writeOwnedArray<Element>(out, owner.pointer, count, field);
            else
                detail::writeArrayAt<Whole>(out, owner.pointer, count);
        }
    }

    static void read(IntReader& in, Owner& owner) {
        if constexpr (detail::requireOwnedElement<Element>() && std::is_pointer_v<Pointer>) {
            static_assert(!std::is_const_v<Pointer>,
                          "ferry: a constant pointer can be written, but not read into: take const off the field");
            static_assert(std::is_default_constructible_v<Element>, "ferry: elements of an array need a default constructor to be read");
            detail::requireMadeReady<Element>();
            std::tuple<Counts...> lengths{};
            std::size_t count = 0;
            const bool isLength = std::apply(
                [&](auto&... each) {
                    (detail::readLength(in, each), ...);
                    return detail::multiplyLengths(count, each...);
                },
                lengths);
            if (!isLength) in.fail("an array that memory can hold", "one of more than 2^64 elements");
            Element* first = in.references() != nullptr ? in.references()->readOwnedArray<Element>(in, count)
                                                        : detail::readArrayAt<Whole, Element, FromNew>(in, count).release();
            replace(owner, first, lengths);
            owner.arrived = count;
            owner.graph = in.references();
        }
    }

    static bool hasCome(const Owner& owner) noexcept { return owner.arrived != Owner::nothing; }
    /// Whether the counts are still as they came. Another array with one of these counts may have brought another length.
    static bool hasArrived(const Owner& owner) noexcept {
        std::size_t count = 0;
        if (owner.arrived == Owner::nothing) return true;
        return std::apply([&count](const auto&... counts) { return detail::multiplyLengths(count, counts...); }, owner.counts) &&
               count == owner.arrived;
    }
    /// Deletes the array and sets its counts to 0. Inside a graph, the graph gets the array back: to delete it here could recurse deeply.
    static void clear(const Owner& owner) noexcept {
        if (owner.graph != nullptr && owner.arrived != 0 && owner.arrived != Owner::nothing) {
            const void* address = std::exchange(owner.pointer, nullptr);
            owner.graph->takeBack(&address, 1);
        }
        replace(owner, nullptr, {});
    }

    /// Moves the array of another owner to this owner.
    static void assign(const Owner& owner, const Owner& other) noexcept {
        replace(owner, const_cast<Element*>(std::exchange(other.pointer, nullptr)), other.counts);
    }

private:
    static void replace(const Owner& owner, Element* first, const std::tuple<Counts...>& lengths) noexcept {
        delete[] std::exchange(owner.pointer, first);
        setCounts(owner, lengths, std::index_sequence_for<Counts...>());
    }
    template <std::size_t... I>
    static void setCounts(const Owner& owner, const std::tuple<Counts...>& lengths, std::index_sequence<I...>) noexcept {
        ((std::get<I>(owner.counts) = std::get<I>(lengths)), ...);
    }

    /// Leaves the array to the visitor of the graph. The object of the field is about to end and is not constant.
    static void releaseArray(void* owner) noexcept {
        const auto& released = *static_cast<const Owner*>(owner);
        const_cast<std::remove_const_t<Pointer>&>(released.pointer) = nullptr;
        std::apply(
            [](auto&... counts) { ((const_cast<std::remove_const_t<std::remove_reference_t<decltype(counts)>>&>(counts) = 0), ...); },
            released.counts);
    }
};

namespace detail {

/// For a class that writes and reads itself: out << ferry::owned(left), in >> ferry::owned(left).
template <class Pointer>
IntReader& operator>>(IntReader& in, OwnedPointer<Pointer>&& owner) {
    return in >> owner;
}
template <class Pointer, class... Counts>
IntReader& operator>>(IntReader& in, OwnedArray<Pointer, Counts...>&& owner) {
    return in >> owner;
}

}    // namespace detail

}    // namespace ferry
