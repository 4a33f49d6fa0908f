#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <ferry/connector/collective/host/HostCollectives.hpp>
#include <ferry/connector/collective/host/PlainBytes.hpp>
#include <ferry/connector/collective/host/PlainData.hpp>
#include <ferry/connector/collective/shape/collectiveErrors.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

// Helpers of the collectives of plain data. These functions hand typed values on to HostCollectives, which knows bytes only.

namespace ferry::detail {

/// Tells whether a value goes over the board: plain data, or a sequence of plain data.
template <class T>
inline constexpr bool isPlain = PlainData<T> || PlainSequence<T>;

/// Tells whether a plain value may become an element of a std::vector<T>. A std::vector<bool> holds no bools.
template <class T>
inline constexpr bool isPlainPart = isPlain<T> && !std::is_same_v<T, bool>;

template <class T>
struct ElementType {
    using Type = T;
};
template <PlainSequence T>
struct ElementType<T> {
    using Type = typename T::value_type;
};
template <class T>
using ElementOf = typename ElementType<T>::Type;

template <class T>
std::span<const ElementOf<T>> elementsOf(const T& value) {
    if constexpr (PlainData<T>)
        return {std::addressof(value), 1};
    else
        return {value.data(), value.size()};
}

/// The elements of a plain value as they leave the process.
template <class T>
SentBytes<ElementOf<T>> sentBytesOf(const T& value) {
    return SentBytes<ElementOf<T>>(elementsOf(value));
}

/// Completes a plain value whose bytes have come from other ranks.
template <class T>
void completeReceived(T& value) {
    if constexpr (PlainData<T>)
        renewUnlisted(std::span<T>(std::addressof(value), 1));
    else
        renewUnlisted(std::span<ElementOf<T>>(value.data(), value.size()));
}

/// Makes room for count elements in the value, and returns its memory. Errors: SerializationError when the value has room for exactly one
/// element and count is not 1.
template <class T>
void* makeRoomIn(T& value, std::size_t count) {
    if constexpr (PlainData<T>) {
        if (count != 1) failOneElement(count);
        return std::addressof(value);
    } else {
        value.resize(count);
        return value.data();
    }
}

/// The elements of all values side by side as they leave the process, and the number of elements of each value.
template <class T>
struct Flattened {
    explicit Flattened(std::span<const T> values) {
        for (const T& value : values) {
            const auto part = elementsOf(value);
            counts.push_back(part.size());
            if constexpr (!PlainData<T>) elements.insert(elements.end(), part.begin(), part.end());
        }
        if constexpr (PlainData<T>) {
            sent.emplace(values);
        } else if constexpr (hasGaps<ElementOf<T>>) {
            for (auto& element : elements) clearGaps(element);
        }
    }
    const void* data() const {
        if constexpr (PlainData<T>)
            return sent->data();
        else
            return elements.data();
    }

    std::vector<std::size_t> counts;
    std::vector<ElementOf<T>> elements;
    std::optional<SentBytes<ElementOf<T>>> sent{};
};

template <class T, class Operator>
PlainOperator plainOperator(Operator& combineTwo) {
    PlainOperator plain;
    plain.context = const_cast<std::remove_const_t<Operator>*>(std::addressof(combineTwo));
    plain.combine = [](void* context, void* left, const void* right, std::size_t count) {
        auto& combine = *static_cast<Operator*>(context);
        T* const total = static_cast<T*>(left);
        const T* const values = static_cast<const T*>(right);
        for (std::size_t i = 0; i < count; ++i) total[i] = static_cast<T>(combine(std::as_const(total[i]), values[i]));
    };
    plain.known = knownReduction<T, std::remove_const_t<Operator>>();
    return plain;
}

/// Tells whether values of type T are plain, and are reduced as one element or (vectors) element by element. An operator gets whole
/// objects, so that members that are not listed must not be zero.
template <class T, class Operator>
consteval bool isPlainReduction() {
    if constexpr (PlainData<T>)
        return !hasUnlisted<T>() && std::is_object_v<Operator> && std::is_invocable_v<Operator&, const T&, const T&>;
    else if constexpr (PlainSequence<T> && std::is_same_v<T, std::vector<ElementOf<T>>>)
        return isPlainReduction<ElementOf<T>, Operator>();
    else
        return false;
}

}    // namespace ferry::detail
