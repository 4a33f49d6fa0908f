#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include <ferry/device/layout/DeviceKind.hpp>

// The compiler's errors for members that cannot be in an image. Each error names the class, the member and the cure.

namespace ferry::detail {

/// A text as a template argument, so that the compiler shows it.
template <std::size_t N>
struct ShownText {
    char text[N] = {};

    constexpr explicit ShownText(std::string_view name) { std::copy_n(name.data(), std::min(name.size(), N - 1), text); }
};

/// The name at this index in a list such as "seats, ferry::arrayOf(samples, count)".
constexpr std::string_view deviceFieldName(std::string_view names, std::size_t index) {
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= names.size(); ++i) {
        const char character = i < names.size() ? names[i] : ',';
        if (character == '(' || character == '<' || character == '[' || character == '{') ++depth;
        if (character == ')' || character == '>' || character == ']' || character == '}') --depth;
        if (character != ',' || (depth > 0 && i < names.size())) continue;
        if (index-- == 0) {
            std::string_view name = names.substr(begin, i - begin);
            while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
            return name;
        }
        begin = i + 1;
    }
    return "?";
}

/// The field of a class at this index.
template <class Class, std::size_t Index>
struct FieldOf {
    using Owner = Class;
    static constexpr std::string_view name() {
        if constexpr (FieldAccess::hasFields<Class>())
            return deviceFieldName(FieldAccess::names<Class>(), Index);
        else
            return Index == 0   ? "the first field"
                   : Index == 1 ? "the second field"
                   : Index == 2 ? "the third field"
                                : "a field behind the third";
    }
};
/// A member that a View names.
template <class Class, auto Member>
struct ShownOf {
    using Owner = Class;
    static constexpr std::string_view name() { return memberName<Member>(); }
};
/// A part of another member, for example its elements.
struct RootOf {
    using Owner = void;
    static constexpr std::string_view name() { return "the object itself"; }
};

template <class T>
inline constexpr bool isBitVector = false;
template <class A>
inline constexpr bool isBitVector<std::vector<bool, A>> = true;

/// The errors. Class: the class with the member. Name: the member. T: the type of the member.
template <class Class, ShownText Name, class T>
struct RefusedMember {
    using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
    static constexpr bool isFunctionPointer = std::is_pointer_v<T> && std::is_function_v<Pointee>;
    static constexpr bool isCountless =
        std::is_pointer_v<T> && !isFunctionPointer && (isArithmeticLike<Pointee> || std::is_pointer_v<Pointee> || std::is_void_v<Pointee>);
    static constexpr bool isVirtualPointee = std::is_pointer_v<T> && !isFunctionPointer && std::is_polymorphic_v<Pointee>;
    static constexpr bool isVirtual = std::is_polymorphic_v<T>;
    static constexpr bool isBits = isBitVector<T>;
    static constexpr bool isOther = !isFunctionPointer && !isCountless && !isVirtualPointee && !isVirtual && !isBits;

    static_assert(!isCountless,
                  "ferry: a pointer without a count (see Class and Name) cannot go to a device: list it as ferry::arrayOf(pointer, count), "
                  "show it with ferry::counted in a View, leave it out with a View, or make it a std::vector");
    static_assert(!isFunctionPointer,
                  "ferry: a pointer to a function of the host (see Class and Name) means nothing on a device: leave it out with a View");
    static_assert(!isVirtualPointee && !isVirtual,
                  "ferry: a class with virtual functions (see Class and Name) cannot go to a device as a whole: name its data with a View, "
                  "or make it a std::variant");
    static_assert(!isBits,
                  "ferry: a std::vector<bool> (see Class and Name) packs its elements into bits, and cannot go to a device: make it a "
                  "std::vector<char>, or leave it out with a View");
    static_assert(!isOther,
                  "ferry: a member of this type (see Class, Name and T) cannot go to a device, whose kernels have no allocator and no "
                  "functions of the host: leave it out with a View, or make it a std::vector, an array or a struct with FERRY_FIELDS");
    static constexpr bool isTold = true;
};

/// Reports the member. Returns false, so that the code for it is left out and there is one error.
template <class Where, class T>
consteval bool refuseMember() {
    constexpr std::string_view name = Where::name();
    return !RefusedMember<typename Where::Owner, ShownText<name.size() + 1>(name), T>::isTold;
}

}    // namespace ferry::detail
