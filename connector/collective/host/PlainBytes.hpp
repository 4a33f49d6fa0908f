#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include <ferry/connector/collective/host/PlainData.hpp>

// The bytes of plain values as they leave the process and as they come. Padding never leaves the process: it may hold what was in this
// memory before. Bytes that belong to no listed field are zero on the way, and change nothing on the rank that gets them.

namespace ferry::detail {

template <class T>
consteval std::size_t fieldBytes();

template <class... Values>
consteval std::size_t sumOfFieldBytes(Pack<Values...>) {
    return (fieldBytes<Values>() + ... + 0);
}

/// Returns the number of bytes of all numbers in a plain value, without what lies between them.
template <class T>
consteval std::size_t fieldBytes() {
    if constexpr (ScalarValue<T> || isImage<T>)
        return sizeof(T);
    else if constexpr (std::is_array_v<T>)
        return std::extent_v<T> * fieldBytes<std::remove_extent_t<T>>();
    else if constexpr (isStandardArray<T>)
        return std::tuple_size_v<T> * fieldBytes<typename T::value_type>();
    else if constexpr (isBasePart<T>)
        return fieldBytes<typename Codec<T>::Class>();
    else
        return sumOfFieldBytes(PlainFields<T>());
}

/// Whether an object of a plain type has bytes that belong to no field: padding, or members that are not listed.
template <class T>
inline constexpr bool hasGaps = fieldBytes<T>() != sizeof(T);

template <class T>
consteval bool hasUnlisted();

template <class... Values>
consteval bool haveUnlisted(Pack<Values...>) {
    return (hasUnlisted<Values>() || ...);
}

/// Whether a plain type may have members that are not listed. A class with FERRY_FIELDS is an example, when the compiler cannot count its
/// members. Then a gap may be a member.
template <class T>
consteval bool hasUnlisted() {
    if constexpr (isBasePart<T>)
        return hasUnlisted<typename Codec<T>::Class>();
    else if constexpr (!hasGaps<T>)
        return false;
    else if constexpr (std::is_array_v<T>)
        return hasUnlisted<std::remove_extent_t<T>>();
    else if constexpr (isStandardArray<T>)
        return hasUnlisted<typename T::value_type>();
    else if constexpr (codecKind<T> == CodecKind::Aggregate)
        return haveUnlisted(PlainFields<T>());
    else
        return !areAllMembersListed<T>() || haveUnlisted(PlainFields<T>());
}

/// Calls visit(address, byte count) for each part of a plain value that has no gaps.
template <class T, class Visit>
[[gnu::always_inline]] inline void visitSolidParts(T& value, const Visit& visit) {
    using Value = std::remove_const_t<T>;
    if constexpr (isBasePart<Value>) {
        visitSolidParts(value.object, visit);
    } else if constexpr (!hasGaps<Value>) {
        visit(std::addressof(value), sizeof(Value));
    } else if constexpr (std::is_array_v<Value> || isStandardArray<Value>) {
        for (auto& element : value) visitSolidParts(element, visit);
    } else if constexpr (codecKind<Value> == CodecKind::Aggregate) {
        visitAggregate(value, [&visit](auto&... fields) { (visitSolidParts(fields, visit), ...); });
    } else {
        FieldAccess::visit(value, [&visit](auto&&... fields) { (visitSolidParts(fields, visit), ...); });
    }
}

/// Copies the fields of a plain value to their places in other memory.
template <class T>
[[gnu::always_inline]] inline void copyFields(std::byte* target, const T& value) {
    const auto* begin = reinterpret_cast<const std::byte*>(std::addressof(value));
    visitSolidParts(value, [target, begin](const void* part, std::size_t byteCount) {
        std::memcpy(target + (static_cast<const std::byte*>(part) - begin), part, byteCount);
    });
}

/// Sets all bytes of a plain value that belong to no field to zero.
template <class T>
void clearGaps([[maybe_unused]] T& value) {
    if constexpr (hasGaps<T>) {
        std::byte bytes[sizeof(T)]{};
        copyFields(bytes, value);
        std::memcpy(static_cast<void*>(std::addressof(value)), bytes, sizeof(T));
    }
}

/// Plain elements of the caller as they leave the process. Where they have gaps, a copy with zeros in the gaps leaves.
template <class T>
class SentBytes {
public:
    explicit SentBytes(std::span<const T> elements) : elements_(elements) {
        if constexpr (hasGaps<T>) {
            copy_.resize(elements.size() * sizeof(T));
            std::byte* target = copy_.data();
            for (const T& element : elements) {
                copyFields(target, element);
                target += sizeof(T);
            }
        }
    }
    const void* data() const noexcept {
        if constexpr (hasGaps<T>)
            return copy_.data();
        else
            return elements_.data();
    }
    std::size_t size() const noexcept { return elements_.size(); }

private:
    std::span<const T> elements_;
    std::vector<std::byte> copy_;
};

/// Gives members that are not listed the values of a new object. To be called for elements whose bytes have come from another rank.
template <class T>
void renewUnlisted([[maybe_unused]] std::span<T> elements) {
    if constexpr (hasUnlisted<T>()) {
        const T fresh{};
        for (T& element : elements) {
            std::byte bytes[sizeof(T)];
            std::memcpy(bytes, static_cast<const void*>(std::addressof(fresh)), sizeof(T));
            copyFields(bytes, element);
            std::memcpy(static_cast<void*>(std::addressof(element)), bytes, sizeof(T));
        }
    }
}

}    // namespace ferry::detail
