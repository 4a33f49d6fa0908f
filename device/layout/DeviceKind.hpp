#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <ferry/serialization/Codec.hpp>

// Decides for each type how its objects lie in an image.

namespace ferry::detail {

enum class DeviceKind {
    Block,     ///< no pointers: the bytes are copied
    Fields,    ///< a class whose members are copied one by one
    Array,     ///< a C array or std::array of elements that are no blocks
    Tuple,     ///< a pair or tuple
    Optional,
    Variant,
    Pointer,    ///< a raw pointer to one object
    Unique,     ///< a unique_ptr to one object
    Vector,
    Text,        ///< std::string
    TextView,    ///< std::string_view
    Span,
    Refused,    ///< cannot be in an image
};

template <class T>
inline constexpr bool isDeviceVector = false;
template <class E, class A>
inline constexpr bool isDeviceVector<std::vector<E, A>> = !std::is_same_v<E, bool>;
template <class T>
inline constexpr bool isDeviceText = false;
template <class C, class R, class A>
inline constexpr bool isDeviceText<std::basic_string<C, R, A>> = sizeof(C) == 1;
template <class T>
inline constexpr bool isDeviceTextView = false;
template <class C, class R>
inline constexpr bool isDeviceTextView<std::basic_string_view<C, R>> = true;
template <class T>
inline constexpr bool isDeviceSpan = false;
template <class E, std::size_t N>
inline constexpr bool isDeviceSpan<std::span<E, N>> = true;
template <class T>
inline constexpr bool isDeviceOptional = false;
template <class T>
inline constexpr bool isDeviceOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool isDeviceVariant = false;
template <class... T>
inline constexpr bool isDeviceVariant<std::variant<T...>> = true;
template <class T>
inline constexpr bool isDeviceTuple = false;
template <class... T>
inline constexpr bool isDeviceTuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool isDeviceTuple<std::pair<A, B>> = true;
template <class T>
inline constexpr bool isDeviceUnique = false;
template <class T>
inline constexpr bool isDeviceUnique<std::unique_ptr<T>> = !std::is_array_v<T>;

template <class T>
inline constexpr bool isArithmeticLike = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Calls the visitor once, with all fields of a class that has FERRY_FIELDS or is a plain struct.
template <class T, class Visitor>
decltype(auto) visitFieldsForDevice(T& object, Visitor&& visitor) {
    if constexpr (codecKind<std::remove_const_t<T>> == CodecKind::Aggregate)
        return visitAggregate(object, visitor);
    else
        return FieldAccess::visit(object, visitor);
}

/// Whether the fields of the class are known, and are all that the class has.
template <class T>
consteval bool hasFieldsForDevice() {
    if constexpr (!std::is_class_v<T> || std::is_polymorphic_v<T> || isFieldProxy<T>)
        return false;
    else if constexpr (FieldAccess::hasFields<T>())
        return std::is_same_v<FieldAccess::Owner<T>, T>;
    else
        return codecKind<T> == CodecKind::Aggregate && aggregateShape<T>.fault == AggregateFault::None;
}

template <class T>
using DeviceFields = decltype(visitFieldsForDevice(std::declval<T&>(), FindPack()));

/// Counts the fields that are constant.
struct CountConstants {
    template <class... Values>
    constexpr auto operator()(Values&&...) const {
        return std::integral_constant<std::size_t, (std::is_const_v<std::remove_reference_t<Values>> + ... + std::size_t{0})>();
    }
};
template <class T, class... Probes>
consteval bool hasReferenceProbe(FieldProbes<Probes...>) {
    return (std::is_same_v<Probes, AnyReference<T>> || ...);
}
/// Whether a field may be a reference or a static member. Other fields are constant in a constant object, and only there.
template <class T>
consteval bool mayHaveReferences() {
    if constexpr (!FieldAccess::hasFields<T>()) {
        return hasReferenceProbe<T>(ProbesOf<T>());
    } else {
        constexpr std::size_t constants = decltype(visitFieldsForDevice(std::declval<const T&>(), CountConstants()))::value;
        return decltype(visitFieldsForDevice(std::declval<T&>(), CountConstants()))::value != 0 || constants != DeviceFields<T>::count;
    }
}

template <class T>
consteval bool isDeviceBlock();

template <class... Values>
consteval bool areDeviceBlocks(const Pack<Values...>*) {
    return (isDeviceBlock<Values>() && ...);
}
template <class... Values>
consteval std::size_t sumOfBytes(const Pack<Values...>*) {
    return (sizeof(Values) + ... + std::size_t{0});
}

template <class T>
struct ValuesOfDevice;
template <class... T>
struct ValuesOfDevice<std::tuple<T...>> {
    using Type = Pack<T...>;
};
template <class... T>
struct ValuesOfDevice<std::variant<T...>> {
    using Type = Pack<T...>;
};
template <class A, class B>
struct ValuesOfDevice<std::pair<A, B>> {
    using Type = Pack<A, B>;
};

/// Whether the bytes of an object are the object, without pointers and without members that stay behind.
template <class T>
consteval bool isDeviceBlock() {
    if constexpr (isArithmeticLike<T>)
        return true;
    else if constexpr (std::is_array_v<T>)
        return isDeviceBlock<std::remove_cv_t<std::remove_extent_t<T>>>();
    else if constexpr (!std::is_class_v<T> || !std::is_trivially_copy_constructible_v<T> || !std::is_trivially_destructible_v<T> ||
                       isFieldProxy<T>)
        return false;
    else if constexpr (isFixedArray<T>)
        return fixedArraySize<T> == 0 || isDeviceBlock<typename T::value_type>();
    else if constexpr (isDeviceTextView<T> || isDeviceSpan<T>)
        return false;
    else if constexpr (isDeviceOptional<T>)
        return isDeviceBlock<typename T::value_type>();
    else if constexpr (isDeviceTuple<T> || isDeviceVariant<T>)
        return areDeviceBlocks(static_cast<typename ValuesOfDevice<T>::Type*>(nullptr));
    else if constexpr (ComplexValue<T> || DurationValue<T>)
        return true;
    else if constexpr (TimePointValue<T>)
        return true;
    else if constexpr (std::is_empty_v<T>)
        return !std::is_polymorphic_v<T>;
    else if constexpr (hasFieldsForDevice<T>()) {
        using Fields = DeviceFields<T>;
        if constexpr (FieldAccess::listsSome<T>() && sizeof(T) != sumOfBytes(static_cast<Fields*>(nullptr))) {
            return false;    // the other members stay behind
        } else if constexpr (FieldAccess::hasFields<T>()) {
            // Room for a pointer between the fields may be a member that is not listed.
            return areDeviceBlocks(static_cast<Fields*>(nullptr)) &&
                   sizeof(T) < sumOfBytes(static_cast<Fields*>(nullptr)) + sizeof(void*) && !mayHaveReferences<T>();
        } else {
            return areDeviceBlocks(static_cast<Fields*>(nullptr)) && !mayHaveReferences<T>();
        }
    } else
        return false;
}

template <class T>
consteval bool leavesMembers();

template <class... Values>
consteval bool doLeaveMembers(const Pack<Values...>*) {
    return (leavesMembers<std::remove_cv_t<Values>>() || ...);
}

/// Whether members of an object, or of objects inside of it, stay behind because FERRY_FIELDS_SOME does not list them.
template <class T>
consteval bool leavesMembers() {
    if constexpr (std::is_array_v<T>)
        return leavesMembers<std::remove_cv_t<std::remove_extent_t<T>>>();
    else if constexpr (!std::is_class_v<T> || isDeviceBlock<T>())
        return false;
    else if constexpr (isBasePart<T>)
        return leavesMembers<std::remove_cvref_t<decltype(std::declval<T&>().object)>>();
    else if constexpr (isFixedArray<T> || isDeviceOptional<T>)
        return leavesMembers<std::remove_cv_t<typename T::value_type>>();
    else if constexpr (isDeviceTuple<T> || isDeviceVariant<T>)
        return doLeaveMembers(static_cast<typename ValuesOfDevice<T>::Type*>(nullptr));
    else if constexpr (isDeviceVector<T> || isDeviceText<T> || isDeviceTextView<T> || isDeviceSpan<T> || isDeviceUnique<T>)
        return false;
    else if constexpr (hasFieldsForDevice<T>())
        return FieldAccess::listsSome<T>() || doLeaveMembers(static_cast<DeviceFields<T>*>(nullptr));
    else
        return false;
}

template <class... Values>
consteval bool haveReferences(const Pack<Values...>*) {
    return (std::is_reference_v<Values> || ...);
}

template <class T>
consteval DeviceKind findDeviceKind() {
    if constexpr (isDeviceBlock<T>())
        return DeviceKind::Block;
    else if constexpr (std::is_pointer_v<T>)
        return DeviceKind::Pointer;
    else if constexpr (isFixedArray<T>)
        return DeviceKind::Array;
    else if constexpr (isDeviceVector<T>)
        return DeviceKind::Vector;
    else if constexpr (isDeviceText<T>)
        return DeviceKind::Text;
    else if constexpr (isDeviceTextView<T>)
        return DeviceKind::TextView;
    else if constexpr (isDeviceSpan<T>)
        return DeviceKind::Span;
    else if constexpr (isDeviceOptional<T>)
        return DeviceKind::Optional;
    else if constexpr (isDeviceVariant<T>)
        return DeviceKind::Variant;
    else if constexpr (isDeviceTuple<T>)
        return haveReferences(static_cast<typename ValuesOfDevice<T>::Type*>(nullptr)) ? DeviceKind::Refused : DeviceKind::Tuple;
    else if constexpr (isDeviceUnique<T>)
        return DeviceKind::Unique;
    else if constexpr (hasFieldsForDevice<T>())
        return DeviceKind::Fields;
    else
        return DeviceKind::Refused;
}

template <class T>
inline constexpr DeviceKind deviceKind = findDeviceKind<std::remove_cv_t<T>>();

}    // namespace ferry::detail
