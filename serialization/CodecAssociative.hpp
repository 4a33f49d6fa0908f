#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/CodecTraits.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

// map, set, their multi and unordered forms: the count, then keys (each with its value) in the order of iteration.

namespace ferry {

/// Whether an order, equality or hash of pointers looks at their addresses alone, and not at what they lead to. Maps and sets whose keys
/// are pointers travel in graphs only with such: when the keys arrive, what they lead to is not there yet. Specialise it for one of your
/// own, such as one that compares unique_ptr with raw pointers.
template <class Function>
inline constexpr bool looksAtAddresses = false;
template <class T>
inline constexpr bool looksAtAddresses<std::less<T>> = true;
template <class T>
inline constexpr bool looksAtAddresses<std::greater<T>> = true;
template <class T>
inline constexpr bool looksAtAddresses<std::owner_less<T>> = true;
template <class T>
inline constexpr bool looksAtAddresses<std::equal_to<T>> = true;
template <class T>
inline constexpr bool looksAtAddresses<std::hash<T>> = true;

namespace detail {

template <class T>
inline constexpr bool isPointerKey = std::is_pointer_v<T>;
template <class T, class Deleter>
inline constexpr bool isPointerKey<std::unique_ptr<T, Deleter>> = true;
template <class T>
inline constexpr bool isPointerKey<std::shared_ptr<T>> = true;
template <class T>
inline constexpr bool isPointerKey<std::weak_ptr<T>> = true;

/// Whether keys are sorted or found by what they lead to.
template <class T>
consteval bool looksBehindKeys() {
    if constexpr (!isPointerKey<typename T::key_type>)
        return false;
    else if constexpr (requires { typename T::key_compare; })
        return !looksAtAddresses<typename T::key_compare>;
    else if constexpr (requires { typename T::hasher; })
        return !looksAtAddresses<typename T::hasher> || !looksAtAddresses<typename T::key_equal>;
    else
        return false;
}

[[noreturn]] void failKeysInGraph(const std::type_info& key);

template <class T>
concept MapValue = requires {
    typename T::mapped_type;
};

/// What is known of a key, or of a key with its value.
template <class T>
struct EntryOf {
    static constexpr bool isWritable = Writable<typename T::key_type>;
    static constexpr bool needsGraph = ferry::needsGraph<typename T::key_type>;
    static constexpr std::size_t minInts = ferry::minInts<typename T::key_type>;
};
template <MapValue T>
struct EntryOf<T> {
    static constexpr bool isWritable = Writable<typename T::key_type> && Writable<typename T::mapped_type>;
    static constexpr bool needsGraph = ferry::needsGraph<typename T::key_type> || ferry::needsGraph<typename T::mapped_type>;
    static constexpr std::size_t minInts = ferry::minInts<typename T::key_type> + ferry::minInts<typename T::mapped_type>;
};

/// A container in which a key occurs once: insert tells whether it was new.
template <class T>
concept UniqueKeys = requires(T& container, typename T::value_type value) {
    container.insert(std::move(value)).second;
};

}    // namespace detail

template <class T>
    requires(codecKind<T> == CodecKind::Associative)
struct Codec<T> {
    using Key = typename T::key_type;

    static constexpr std::size_t minInts = 1;
    static constexpr bool isWritable = detail::EntryOf<T>::isWritable;
    static constexpr bool needsGraph = detail::EntryOf<T>::needsGraph;

    static void write(IntWriter& out, const T& container) {
        detail::requireWritable<Key>();
        if constexpr (detail::looksBehindKeys<T>()) {
            if (out.references() != nullptr && out.references()->isWriting() && !container.empty()) detail::failKeysInGraph(typeid(Key));
        }
        out.writeCount(container.size());
        const IntWriter::Nesting nesting(out);
        for (const auto& element : container) {
            if constexpr (detail::MapValue<T>) {
                detail::writeValue(out, element.first);
                detail::writeValue(out, element.second);
            } else {
                Codec<Key>::write(out, element);
            }
        }
        if constexpr (detail::EntryOf<T>::minInts == 0) out.noteEmptyElements(container.size(), 0);
    }

    static void read(IntReader& in, T& container) {
        detail::requireWritable<Key>();
        container.clear();
        const std::size_t start = in.position();
        const std::size_t count = in.readCount(detail::EntryOf<T>::minInts);
        in.charge(count, sizeof(typename T::value_type));
        if constexpr (detail::looksBehindKeys<T>()) {
            if (in.references() != nullptr && count != 0) {
                in.rewind(start);
                detail::failWrongSize(in, 0, count);    // no writer writes others
            }
        }
        const IntReader::Nesting nesting(in);
        std::size_t i = 0;
        try {
            for (; i < count; ++i) readElement(in, container);
        } catch (...) {
            detail::rethrowFromElement(i);
        }
        if (detail::UniqueKeys<T> && container.size() != count) {
            in.rewind(start);
            detail::failRepeatedKeys(in, count, container.size());
        }
    }

private:
    static constexpr bool canBeMade() {
        if constexpr (detail::MapValue<T>)
            return std::is_default_constructible_v<Key> && std::is_default_constructible_v<typename T::mapped_type>;
        else
            return std::is_default_constructible_v<Key>;
    }

    static void readElement(IntReader& in, T& container) {
        static_assert(canBeMade(), "ferry: the keys and values of a map or set (see T) need a default constructor to be read");
        if constexpr (!canBeMade()) {
        } else if constexpr (detail::MapValue<T>) {
            Key key{};
            Codec<Key>::read(in, key);
            typename T::mapped_type value{};
            detail::readValue(in, value);
            container.emplace_hint(container.end(), std::move(key), std::move(value));
        } else {
            Key key{};
            Codec<Key>::read(in, key);
            container.emplace_hint(container.end(), std::move(key));
        }
    }
};

}    // namespace ferry
