#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include <ferry/serialization/ints/CompilersText.hpp>

// Some classes look like a container, a text, an optional, a pointer or a number because they derive from one, or have its functions. Such
// a class travels as what it looks like, so that its other members would be lost without notice. A class that may have other members is
// refused.

namespace ferry {

/// Whether a class of the program that has the functions of a container, an optional, a pointer or a number holds nothing else than what
/// these functions show. Such a class travels as the container would. Specialise it for your own class, or
/// for a class template of another library:
///
///     template <> inline constexpr bool ferry::hasNoOtherMembers<Names> = true;
///     template <class T> inline constexpr bool ferry::hasNoOtherMembers<other::Vector<T>> = true;
template <class T>
inline constexpr bool hasNoOtherMembers = false;

namespace detail {

/// Finds the class that declares a member function.
template <class Owner, class Result>
Owner* ownerOfMember(Result (Owner::*)() const);
template <class Owner>
Owner* ownerOfMember(void (Owner::*)());

/// Finds the base class from which T inherits a member function. Of several such classes, finds the largest.
template <class T, class Found>
struct BaseSearch {
    using Base = Found;

    template <class Owner>
    static auto with(Owner*) {
        if constexpr (std::is_same_v<Owner, T>)
            return BaseSearch();
        else if constexpr (std::is_void_v<Found>)
            return BaseSearch<T, Owner>();
        else
            return BaseSearch<T, std::conditional_t<(sizeof(Owner) > sizeof(Found)), Owner, Found>>();
    }
};

// Each member function is one step of the search. A class may declare some of them itself and inherit the others.
#define FERRY_SEARCH_BASE(name_, step_, before_)                       \
    template <class T>                                                 \
    auto step_() {                                                     \
        using Before = decltype(before_<T>());                         \
        if constexpr (requires { ownerOfMember(&T::name_); })          \
            return decltype(Before::with(ownerOfMember(&T::name_)))(); \
        else                                                           \
            return Before();                                           \
    }
template <class T>
BaseSearch<T, void> searchNothing();
FERRY_SEARCH_BASE(size, searchSize, searchNothing)
FERRY_SEARCH_BASE(empty, searchEmpty, searchSize)
FERRY_SEARCH_BASE(max_size, searchMaxSize, searchEmpty)
FERRY_SEARCH_BASE(clear, searchClear, searchMaxSize)
FERRY_SEARCH_BASE(get_allocator, searchAllocator, searchClear)
FERRY_SEARCH_BASE(has_value, searchHasValue, searchAllocator)
FERRY_SEARCH_BASE(reset, searchReset, searchHasValue)
FERRY_SEARCH_BASE(real, searchReal, searchReset)
FERRY_SEARCH_BASE(imag, searchImag, searchReal)
FERRY_SEARCH_BASE(count, searchCount, searchImag)
FERRY_SEARCH_BASE(time_since_epoch, searchTime, searchCount)
FERRY_SEARCH_BASE(to_ulong, searchBits, searchTime)
FERRY_SEARCH_BASE(native, searchNative, searchBits)
// Functions by which JSON recognises smart pointers and variants. Containers may have functions of these names, too.
FERRY_SEARCH_BASE(get, searchGet, searchNothing)
FERRY_SEARCH_BASE(valueless_by_exception, searchValueless, searchNothing)
#undef FERRY_SEARCH_BASE

/// Whether a class belongs to the standard library or to Boost. Their containers derive from parts of themselves.
template <class T>
consteval bool isLibraryClass() {
    constexpr std::string_view text = compilersTextOf<T>();
    return text.starts_with("std::") || text.starts_with("boost::");
}

struct ContainerSearch {
    template <class T>
    using Found = decltype(searchNative<T>());
};
struct PointerSearch {
    template <class T>
    using Found = decltype(searchGet<T>());
};
struct VariantSearch {
    template <class T>
    using Found = decltype(searchValueless<T>());
};

/// Makes the search, but for a class of a library: nothing is found there.
template <class T, class Search>
consteval auto findBase() {
    if constexpr (isLibraryClass<T>())
        return BaseSearch<T, void>();
    else
        return typename Search::template Found<T>();
}

/// The base class from which a class inherits the functions of a container. void when the class declares them itself.
template <class T>
using ContainerBase = typename decltype(findBase<T, ContainerSearch>())::Base;
/// The base classes from which a class inherits the functions of a smart pointer, and of a variant.
template <class T>
using PointerBase = typename decltype(findBase<T, PointerSearch>())::Base;
template <class T>
using VariantBase = typename decltype(findBase<T, VariantSearch>())::Base;

/// Has the size of its base class if that has free room at its end. A derived class may put its members into such room.
template <class Base>
struct EndProbe : Base {
    char last;
};

/// Whether a class may have members that its base class does not have.
template <class T, class Base>
consteval bool losesOwnMembers() {
    if constexpr (std::is_void_v<Base>)
        return false;
    else
        return sizeof(T) > sizeof(Base) || (!hasNoOtherMembers<T> && sizeof(EndProbe<Base>) == sizeof(Base));
}

/// Whether a class with functions of its own may have members that these functions do not show. mostBytes: the size of what the class looks
/// like; 0: the size of a container, which no rule tells.
template <class T, std::size_t mostBytes, class Base>
consteval bool mayHaveOtherMembers() {
    if constexpr (hasNoOtherMembers<T> || isLibraryClass<T>() || !std::is_void_v<Base>)
        return false;
    else
        return mostBytes == 0 || sizeof(T) > mostBytes;
}

/// To be called for every type that may travel as its base class, or as what its functions look like.
template <class T, std::size_t mostBytes = 0, class Base = ContainerBase<T>>
consteval bool requireNoLoss() {
    static_assert(!mayHaveOtherMembers<T, mostBytes, Base>(),
                  "ferry: the class (see T) has the functions of a container, an optional or a number, and would travel without its other "
                  "members: give it FERRY_FIELDS(...), or specialise ferry::hasNoOtherMembers if it has none");
    static_assert(!losesOwnMembers<T, Base>(),
                  "ferry: the class (see T) derives from what it would travel as, and its own members would be lost: give it "
                  "FERRY_FIELDS_AFTER(Base, ...), or writeToInts and readFromInts, or specialise ferry::hasNoOtherMembers if it has none");
    return true;
}

}    // namespace detail

}    // namespace ferry
