#pragma once

#include <cstddef>
#include <utility>

#include <ferry/serialization/CodecTraits.hpp>

// map, set, their multi and unordered forms: the count, then keys (each with its value) in the order of iteration.

namespace ferry {

namespace detail {

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
    }

    static void read(IntReader& in, T& container) {
        detail::requireWritable<Key>();
        container.clear();
        const std::size_t start = in.position();
        const std::size_t count = in.readCount(detail::EntryOf<T>::minInts);
        in.charge(count, sizeof(typename T::value_type));
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
