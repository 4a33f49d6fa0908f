#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/ints/CodecKind.hpp>
#include <ferry/serialization/ints/LostMembers.hpp>

// Orders, hashes and equalities do not travel. A function object without members is the same on every rank. A function pointer, a
// std::function or an object with members must be in the container before the keys are read.

namespace ferry::detail {

/// Whether all objects of an order, hash or equality type behave alike.
template <class Function>
inline constexpr bool isStateless = std::is_empty_v<Function>&& std::is_default_constructible_v<Function>;

template <class T>
consteval bool findStatelessKeys() {
    if constexpr (requires { typename T::key_compare; })
        return isStateless<typename T::key_compare>;
    else if constexpr (requires {
                           typename T::hasher;
                           typename T::key_equal;
                       })
        return isStateless<typename T::hasher> && isStateless<typename T::key_equal>;
    else
        return true;
}

/// Whether two maps or sets of the type always treat their keys alike.
template <class T>
inline constexpr bool hasStatelessKeys = findStatelessKeys<T>();

template <class T>
consteval bool findMakeable() {
    if constexpr (codecKind<T> == CodecKind::Associative)
        return hasStatelessKeys<T> || !std::is_void_v<ContainerBase<T>>;    // a derived class may give its base a function object
    else if constexpr (codecKind<T> == CodecKind::Adaptor && requires { typename T::value_compare; })    // a priority_queue
        return isStateless<typename T::value_compare> || !std::is_void_v<ContainerBase<T>>;
    else
        return true;
}

/// Whether a new object of the type is ready for its contents, because its maps and sets need only their keys. A class that is no container
/// counts as ready, because its constructor may set the function objects.
template <class T>
inline constexpr bool isMadeReady = findMakeable<T>();
template <class T>
inline constexpr bool isMadeReady<const T> = isMadeReady<T>;
template <class T, std::size_t N>
inline constexpr bool isMadeReady<T[N]> = isMadeReady<T>;
template <class T, std::size_t N>
inline constexpr bool isMadeReady<std::array<T, N>> = isMadeReady<T>;
template <class First, class Second>
inline constexpr bool isMadeReady<std::pair<First, Second>> = isMadeReady<First>&& isMadeReady<Second>;
template <class... Values>
inline constexpr bool isMadeReady<std::tuple<Values...>> = (isMadeReady<Values> && ...);

/// Whether a container can be made without an allocator of the program.
template <class T>
consteval bool hasOwnAllocator() {
    if constexpr (codecKind<T> == CodecKind::Associative || codecKind<T> == CodecKind::Sequence || codecKind<T> == CodecKind::Forward) {
        if constexpr (requires { typename T::allocator_type; } && std::is_void_v<ContainerBase<T>>)
            return std::is_default_constructible_v<typename T::allocator_type>;
    }
    return true;
}

/// To be called where Ferry makes the object into which it reads.
template <class T>
consteval void requireMadeReady() {
    static_assert(hasOwnAllocator<T>(),
                  "ferry: a container (see T) whose allocator has no default constructor cannot be made: receive into a container that is "
                  "there, or give the allocator a default constructor");
    static_assert(
        isMadeReady<T>,
        "ferry: a map or set (see T) has an order, hash or equality with a state, which does not travel: receive into a container "
        "that has one, or make it a class without members");
}

[[noreturn]] void failNoKeyOrder(const std::type_info& container);

template <class Function>
bool isNullFunction(const Function& function) {
    if constexpr (requires { function == nullptr; })
        return function == nullptr;
    else
        return false;
}

/// Errors: UsageError when the container would call a null function for its keys.
template <class T>
void requireKeyOrder(const T& container) {
    if constexpr (!hasStatelessKeys<T>) {
        if constexpr (requires { container.key_comp(); }) {
            if (isNullFunction(container.key_comp())) failNoKeyOrder(typeid(T));
        } else {
            if (isNullFunction(container.hash_function()) || isNullFunction(container.key_eq())) failNoKeyOrder(typeid(T));
        }
    }
}

}    // namespace ferry::detail
