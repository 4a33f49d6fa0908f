#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include <ferry/serialization/Codec.hpp>
#include <ferry/serialization/codec/Strided.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>

// The conditions of the connector's calls on types. Their texts say the cause and the cure. Each check is a condition of its own: the
// compiler shows the first one that fails.

namespace ferry {

template <class T>
class Pending;

namespace detail {

template <class T>
inline constexpr bool isPending = false;
template <class T>
inline constexpr bool isPending<Pending<T>> = true;

template <class T>
inline constexpr bool isReferenceWrapper = false;
template <class T>
inline constexpr bool isReferenceWrapper<std::reference_wrapper<T>> = true;

/// Whether a T refers to text or elements that it does not own.
template <class T>
inline constexpr bool isBorrowedView = false;
template <class Character, class Traits>
inline constexpr bool isBorrowedView<std::basic_string_view<Character, Traits>> = true;
template <class T, std::size_t extent>
inline constexpr bool isBorrowedView<std::span<T, extent>> = true;
template <class T, std::size_t levelCount>
inline constexpr bool isBorrowedView<Strided<T, levelCount>> = true;

template <class T>
inline constexpr bool isTextPointer = std::is_same_v<T, const char*> || std::is_same_v<T, char*>;

/// Whether a T can be sent; if not, the compiler says why.
template <class T>
consteval bool isSendable() {
    static_assert(!std::is_reference_v<T>, "ferry: a reference (see T) leads to nothing on another rank: let T be the type of the value");
    static_assert(!isReferenceWrapper<T>, "ferry: a reference (see T) leads to nothing on another rank: pass the value itself");
    static_assert(!isTextPointer<T>, "ferry: a pointer to text does not own it: pass a std::string");
    static_assert(!isPending<T>, "ferry: a Pending belongs to its rank: pass the value that its get() returns");
    static_assert(
        !NamedGraph<T>,
        "ferry: this call takes no ferry::graph: use send, post, broadcastGraph, startBroadcastGraph, gatherGraphs, allGatherGraphs "
        "or share, or pass a ferry::Graph, such as ferry::copyGraph(root)");
    if constexpr (std::is_reference_v<T> || isReferenceWrapper<T> || isTextPointer<T> || isPending<T> || NamedGraph<T>) {
        return false;
    } else {
        requireNoGraph<T>();
        return !findGraphOnly<T>();
    }
}

/// Whether a T can be sent and received; if not, the compiler says why.
template <class T>
consteval bool isTransportable() {
    if constexpr (!isSendable<T>()) {
        return false;
    } else {
        static_assert(!isBorrowedView<T>,
                      "ferry: a view (see T) owns nothing on the rank that gets it: pass a std::string or a std::vector");
        static_assert(!std::is_const_v<T>, "ferry: nothing can be read into a constant (see T): take const off the type");
        static_assert(!std::is_array_v<T>,
                      "ferry: no call can return a C array (see T): pass a std::array, or a std::span of its elements");
        constexpr bool isWhole = !isBorrowedView<T> && !std::is_const_v<T> && !std::is_array_v<T>;
        constexpr bool canBeMade = !isWhole || std::default_initializable<T>;
        static_assert(canBeMade,
                      "ferry: the type (see T) needs a default constructor, since the receiver makes an object and reads into it");
        return isWhole && canBeMade;
    }
}

// Checks of these conditions as statements.
template <class T>
consteval void requireSendable() {
    static_cast<void>(isSendable<T>());
}
template <class T>
consteval void requireTransportable() {
    static_cast<void>(isTransportable<T>());
}

/// Check for a call that makes a value and returns it.
template <class T>
consteval void requireMovable() {
    static_assert(std::is_move_constructible_v<T>,
                  "ferry: no call can return a value that cannot be moved (see T): receive it into an object that is there, by "
                  "receiveInto(rank, object)");
}

/// Check for a call that returns the value which another rank has sent.
template <class T>
consteval void requireOwner() {
    static_assert(!isBorrowedView<T>,
                  "ferry: a view (see T) owns nothing on the rank that gets it: pass a std::string, a std::vector, or a std::span of plain "
                  "elements that may change");
}

template <class T>
inline constexpr bool isCopyable = std::is_copy_constructible_v<T>;
template <class T, class Allocator>
inline constexpr bool isCopyable<std::vector<T, Allocator>> = isCopyable<T>;

/// Check for calls that leave the caller its value and need a copy. C arrays have an error text of their own (isTransportable).
template <class T>
consteval void requireCopyable() {
    static_assert(isCopyable<T> || std::is_array_v<T>,
                  "ferry: a value that cannot be copied (see T) is given away: call the form with 'start' before its name, and get()");
}

/// For overloads that exist only for their error text: false for every T.
template <class T>
inline constexpr bool never = false;

}    // namespace detail

}    // namespace ferry
