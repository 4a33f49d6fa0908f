#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/device/layout/DeviceKind.hpp>
#include <ferry/device/layout/DeviceRefusal.hpp>
#include <ferry/device/layout/StandardLayout.hpp>
#include <ferry/device/program/KernelTypes.hpp>

// Declares C++ types in the language of kernels.

namespace ferry::detail {

/// The type as a member or variable. Classes that it holds are defined before it.
template <class T>
KernelTypeName kernelTypeOf(KernelTypes& types);
/// The type behind a pointer, which is defined later.
template <class T>
KernelTypeName kernelPointeeOf(KernelTypes& types);

template <class T>
const char* kernelNumber() noexcept {
    if constexpr (std::is_enum_v<T>)
        return kernelNumber<std::underlying_type_t<T>>();
    else if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? "float" : "double";
    else if constexpr (std::is_same_v<T, bool>)
        return "uchar";
    else if constexpr (sizeof(T) == 1)
        return std::is_signed_v<T> ? "char" : "uchar";
    else if constexpr (sizeof(T) == 2)
        return std::is_signed_v<T> ? "short" : "ushort";
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? "int" : "uint";
    else
        return std::is_signed_v<T> ? "long" : "ulong";
}

template <class T>
inline constexpr bool isKernelNumber = isArithmeticLike<T> && sizeof(T) <= 8;
template <class T>
inline constexpr bool isKernelOptional = isDeviceOptional<T>;

/// The word for a type in names. Defines nothing.
template <class T>
std::string kernelWord() {
    if constexpr (isKernelNumber<T>)
        return kernelNumber<T>();
    else if constexpr (std::is_pointer_v<T>)
        return kernelWord<std::remove_cv_t<std::remove_pointer_t<T>>>() + "_pointer";
    else if constexpr (std::is_array_v<T>)
        return kernelWord<std::remove_cv_t<std::remove_extent_t<T>>>() + "_" + std::to_string(std::extent_v<T>);
    else if constexpr (isDeviceVector<T>)
        return "vector_" + kernelWord<typename T::value_type>();
    else if constexpr (isDeviceText<T>)
        return "string";
    else if constexpr (isDeviceTextView<T>)
        return "string_view";
    else if constexpr (isDeviceSpan<T>)
        return "span_" + kernelWord<std::remove_cv_t<typename T::element_type>>() +
               (T::extent == std::dynamic_extent ? std::string() : "_" + std::to_string(T::extent));
    else if constexpr (isKernelOptional<T>)
        return "optional_" + kernelWord<typename T::value_type>();
    else if constexpr (isDeviceTuple<T> || isDeviceVariant<T>) {
        return [&]<class... Values>(const Pack<Values...>*) {
            std::string word = isDeviceVariant<T> ? "variant" : requires(T t) { t.first; }
            ? "pair" : "tuple";
            ((word += "_" + kernelWord<std::remove_cv_t<Values>>()), ...);
            return word;
        }(static_cast<typename ValuesOfDevice<T>::Type*>(nullptr));
    } else if constexpr (ComplexValue<T>)
        return "complex_" + kernelWord<typename T::value_type>();
    else
        return kernelWordOf(typeid(T));
}

inline KernelTypeName kernelBytes(std::size_t bytes) {
    return {"uchar", "[" + std::to_string(bytes) + "]", "bytes_" + std::to_string(bytes)};
}

/// Zeroed memory in the place of an object whose members are asked for their places.
template <class T>
T& kernelSample() {
    alignas(T) static std::array<std::byte, sizeof(T)> memory{};
    return *reinterpret_cast<T*>(memory.data());
}

template <class Member>
std::size_t offsetInSample(const void* object, const Member& member) noexcept {
    return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(std::addressof(member)) - static_cast<const std::byte*>(object));
}

template <class Member>
void addKernelMember(KernelTypes& types, KernelStruct& to, std::string name, std::size_t offset) {
    using T = std::remove_cv_t<Member>;
    if constexpr (!std::is_empty_v<T>) {
        if (name.empty()) name = "field" + std::to_string(to.members.size() + 1);
        to.members.push_back({std::move(name), kernelTypeOf<T>(types), offset, sizeof(T)});
    }
}

template <class T>
void addKernelFields(KernelTypes& types, KernelStruct& to, T& sample, const void* object) {
    visitFieldsForDevice(sample, [&](auto&&... fields) {
        std::size_t index = 0;
        const auto add = [&](auto& field) {
            using Field = std::remove_cvref_t<decltype(field)>;
            std::string_view text;
            if constexpr (FieldAccess::hasFields<T>()) text = deviceFieldName(FieldAccess::names<T>(), index);
            ++index;
            if constexpr (isBasePart<Field>) {
                addKernelFields(types, to, field.object, object);
            } else if constexpr (isFieldProxy<Field> && requires { field.counts; }) {
                const std::size_t offset = offsetInSample(object, field.pointer);
                using Element = ArrayElement<std::remove_cvref_t<decltype(field.pointer)>>;
                addKernelMember<std::remove_cv_t<Element>*>(types, to, kernelFieldName(text, 0), offset);
                std::apply(
                    [&](auto&... counts) {
                        std::size_t number = 0;
                        (addKernelMember<std::remove_reference_t<decltype(counts)>>(types, to, kernelFieldName(text, ++number),
                                                                                    offsetInSample(object, counts)),
                         ...);
                    },
                    field.counts);
            } else if constexpr (isFieldProxy<Field> && requires { field.pointer; }) {
                addKernelMember<std::remove_reference_t<decltype(field.pointer)>>(types, to, kernelFieldName(text, 0),
                                                                                  offsetInSample(object, field.pointer));
            } else if constexpr (!isFieldProxy<Field>) {
                addKernelMember<Field>(types, to, kernelFieldName(text, 0), offsetInSample(object, field));
            }
        };
        static_cast<void>(add);
        (add(fields), ...);
    });
}

/// Adds the struct for a class.
template <class T>
void defineKernelClass(KernelTypes& types) {
    KernelStruct made;
    made.name = kernelWord<T>();
    if (!types.begin(typeid(T), made.name)) return;
    made.bytes = sizeof(T);
    made.alignment = alignof(T);
    const auto add = [&]<class Member>(const Member*, const char* name, std::size_t offset) {
        addKernelMember<Member>(types, made, name, offset);
    };
    if constexpr (isDeviceVector<T>) {
        using E = std::remove_cv_t<typename T::value_type>;
        add(static_cast<E**>(nullptr), "data", 0);
        add(static_cast<E**>(nullptr), "end", sizeof(void*));
        add(static_cast<E**>(nullptr), "limit", 2 * sizeof(void*));
    } else if constexpr (isDeviceText<T>) {
        add(static_cast<char**>(nullptr), "data", 0);
        add(static_cast<std::size_t*>(nullptr), "size", sizeof(void*));
    } else if constexpr (isDeviceTextView<T>) {
        const std::size_t pointer = StandardLayout::get().textViewPointer;
        add(static_cast<char**>(nullptr), "data", pointer * sizeof(void*));
        add(static_cast<std::size_t*>(nullptr), "size", (1 - pointer) * sizeof(void*));
    } else if constexpr (isDeviceSpan<T>) {
        add(static_cast<std::remove_cv_t<typename T::element_type>**>(nullptr), "data", 0);
        if constexpr (T::extent == std::dynamic_extent) add(static_cast<std::size_t*>(nullptr), "size", sizeof(void*));
    } else if constexpr (isDeviceOptional<T>) {
        using V = std::remove_cv_t<typename T::value_type>;
        add(static_cast<V*>(nullptr), "value", 0);
        add(static_cast<bool*>(nullptr), "hasValue", sizeof(V));
    } else if constexpr (isDeviceTuple<T>) {
        T& sample = kernelSample<T>();
        std::apply(
            [&](auto&... values) {
                std::size_t number = 0;
                constexpr bool isPair = requires { sample.first; };
                (addKernelMember<std::remove_reference_t<decltype(values)>>(
                     types, made, isPair ? (number++ == 0 ? "first" : "second") : "value" + std::to_string(number++),
                     offsetInSample(&sample, values)),
                 ...);
            },
            sample);
    } else if constexpr (ComplexValue<T>) {
        add(static_cast<typename T::value_type*>(nullptr), "real", 0);
        add(static_cast<typename T::value_type*>(nullptr), "imag", sizeof(typename T::value_type));
    } else if constexpr (hasFieldsForDevice<T>()) {
        T& sample = kernelSample<T>();
        addKernelFields(types, made, sample, std::addressof(sample));
    } else {
        made.members.push_back({"bytes", kernelBytes(sizeof(T)), 0, sizeof(T)});
    }
    types.add(std::move(made));
}

template <class T>
KernelTypeName kernelTypeOf(KernelTypes& types) {
    if constexpr (isKernelNumber<T>) {
        return {kernelNumber<T>(), "", kernelNumber<T>()};
    } else if constexpr (std::is_pointer_v<T>) {
        using U = std::remove_cv_t<std::remove_pointer_t<T>>;
        if constexpr (std::is_void_v<U> || std::is_function_v<U> || std::is_array_v<U>)
            return {"ulong", "", "ulong"};
        else
            return {"global " + kernelPointeeOf<U>(types).before + "*", "", kernelWord<T>()};
    } else if constexpr (isDeviceUnique<T>) {
        return kernelTypeOf<std::remove_cv_t<typename T::element_type>*>(types);
    } else if constexpr (std::is_array_v<T>) {
        const KernelTypeName element = kernelTypeOf<std::remove_cv_t<std::remove_extent_t<T>>>(types);
        return {element.before, "[" + std::to_string(std::extent_v<T>) + "]" + element.behind, kernelWord<T>()};
    } else if constexpr (isFixedArray<T> && fixedArraySize<T> > 0) {
        const KernelTypeName element = kernelTypeOf<std::remove_cv_t<typename T::value_type>>(types);
        return {element.before, "[" + std::to_string(fixedArraySize<T>) + "]" + element.behind, element.word + "_array"};
    } else if constexpr (DurationValue<T>) {
        return kernelTypeOf<typename T::rep>(types);
    } else if constexpr (TimePointValue<T>) {
        return kernelTypeOf<typename T::duration>(types);
    } else if constexpr (std::is_class_v<T>) {
        defineKernelClass<T>(types);
        return {kernelWord<T>(), "", kernelWord<T>()};
    } else {
        return kernelBytes(sizeof(T));
    }
}

template <class T>
KernelTypeName kernelPointeeOf(KernelTypes& types) {
    if constexpr (std::is_class_v<T> && !isDeviceUnique<T> && !isFixedArray<T> && !DurationValue<T> && !TimePointValue<T>) {
        types.defineLater(&defineKernelClass<T>);
        return {kernelWord<T>(), "", kernelWord<T>()};
    } else if constexpr (isFixedArray<T>) {
        return kernelBytes(sizeof(T));    // an array behind a pointer has no declaration before its name
    } else {
        return kernelTypeOf<T>(types);
    }
}

/// Declares the types and all that their members lead to.
template <class... T>
KernelTypes kernelTypesOf() {
    KernelTypes types;
    (static_cast<void>(kernelPointeeOf<std::remove_cv_t<T>>(types)), ...);
    types.defineAll();
    return types;
}

}    // namespace ferry::detail
