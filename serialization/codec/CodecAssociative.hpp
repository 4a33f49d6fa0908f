#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <ferry/serialization/ints/CodecTraits.hpp>
#include <ferry/serialization/ints/KeyOrder.hpp>
#include <ferry/serialization/ints/algorithms.hpp>
#include <ferry/serialization/reference/ReferenceWriter.hpp>

// map, set, their multi and unordered forms travel as the count, then the keys (each with its value) in the order of iteration.

namespace ferry {

/// Whether an order, equality or hash of pointers uses only their addresses, not the objects behind them. Maps and sets with pointer keys
/// travel in graphs only if this holds: when the keys arrive, the objects behind them are not there yet. Specialise it for your own
/// function class, for example one that compares unique_ptr with raw pointers.
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

/// Whether keys are sorted or found by the objects behind them.
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

[[noreturn]] void failCrowdedBuckets(const IntReader& in);
[[noreturn]] void failKeysInGraph(const std::type_info& key);

template <class T>
concept MapValue = requires {
    typename T::mapped_type;
};

/// Properties of a key, or of a key with its value.
template <class T>
struct EntryOf {
    static constexpr bool isWritable = Writable<typename T::key_type>;
    static constexpr bool needsGraph = ferry::detail::needsGraph<typename T::key_type>;
    static constexpr std::size_t minInts = ferry::detail::minInts<typename T::key_type>;
};
template <MapValue T>
struct EntryOf<T> {
    static constexpr bool isWritable = Writable<typename T::key_type> && Writable<typename T::mapped_type>;
    static constexpr bool needsGraph =
        ferry::detail::needsGraph<typename T::key_type> || ferry::detail::needsGraph<typename T::mapped_type>;
    static constexpr std::size_t minInts = ferry::detail::minInts<typename T::key_type> + ferry::detail::minInts<typename T::mapped_type>;
};

/// A container in which a key occurs once. Its insert() reports whether the key is new.
template <class T>
concept UniqueKeys = requires(T& container, typename T::value_type value) {
    container.insert(std::move(value)).second;
};

/// A hash table that reports how many keys share a bucket.
template <class T>
concept HashedContainer = requires(const T& container, const typename T::key_type& key, std::size_t bucket) {
    { container.bucket(key) } -> std::convertible_to<std::size_t>;
    { container.bucket_size(bucket) } -> std::convertible_to<std::size_t>;
    container.count(key);
};

/// Estimates how many keys were compared or passed while a hash table was filled. The estimate comes from a few random buckets. A sender
/// can choose keys that share a bucket. Then the time grows with the square of their number.
template <class T>
class HashWatch {
public:
    static constexpr std::uint64_t PassedPerKey = 256;
    static constexpr std::uint64_t PassedAlways = std::uint64_t{1} << 20;

    /// Errors: SerializationError when too many keys share buckets for the size of the message.
    template <class Reader, class Place>
    void noteInserted(const Reader& in, const T& container, const Place& place) {
        if (++count_ < next_) [[likely]]
            return;
        measure(container, place);
        if (passed_ > allowed()) [[unlikely]] {
            failCrowdedBuckets(in);
        }
    }

private:
    template <class Place>
    void measure(const T& container, const Place& place) {
        const typename T::key_type& key = keyOf(*place);
        const std::uint64_t inBucket = container.bucket_size(container.bucket(key));
        const std::uint64_t equal = UniqueKeys<T> ? 1 : container.count(key);
        const std::uint64_t passed = inBucket - std::min(inBucket, equal);
        passed_ += passed * (count_ - last_);
        last_ = count_;
        // The sender must not be able to guess the next measurement. The distance to it is large enough that measuring costs little beside
        // inserting. The distance is small enough that the keys passed until then are a small part of the allowed number.
        const std::uint64_t near = 1 + allowed() / (8 * (passed + 1));
        const std::uint64_t gap = std::min(near, std::max<std::uint64_t>(16, inBucket / 8));
        random_ = (random_ ^ (reinterpret_cast<std::uintptr_t>(std::addressof(*place)) >> 4)) * 6364136223846793005u + 1442695040888963407u;
        next_ = count_ + 1 + (random_ >> 33) % (2 * gap);
    }
    std::uint64_t allowed() const noexcept { return PassedPerKey * count_ + PassedAlways; }
    static const typename T::key_type& keyOf(const typename T::value_type& element) {
        if constexpr (MapValue<T>)
            return element.first;
        else
            return element;
    }

    std::uint64_t count_ = 0;
    std::uint64_t last_ = 0;    // count_ at the last measurement
    std::uint64_t next_ = 64;
    std::uint64_t passed_ = 0;
    std::uint64_t random_ = reinterpret_cast<std::uintptr_t>(this);
};

}    // namespace detail

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Associative)
struct Codec<T> {
    using Key = typename T::key_type;

    static_assert(detail::requireNoLoss<T>());
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
        if constexpr (ReadLimits::isRoomy(sizeof(typename T::value_type), detail::EntryOf<T>::minInts))
            in.chargeRoomy(count, sizeof(typename T::value_type));
        if constexpr (detail::looksBehindKeys<T>()) {
            if (in.references() != nullptr && count != 0) {
                in.rewind(start);
                detail::failWrongSize(in, 0, count);    // no writer writes another count
            }
        }
        if (count != 0) detail::requireKeyOrder(container);
        const IntReader::Nesting nesting(in);
        IntReader::KeptBack following(in, count, detail::EntryOf<T>::minInts);
        std::size_t i = 0;
        try {
            [[maybe_unused]] detail::HashWatch<T> watch;
            for (; i < count; ++i) {
                following.release();
                [[maybe_unused]] const auto place = readElement(in, container);
                if constexpr (detail::HashedContainer<T>) watch.noteInserted(in, container, place);
            }
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

    static auto readElement(IntReader& in, T& container) {
        static_assert(std::is_move_constructible_v<Key>, "ferry: the keys of a map or set (see T) must be movable to be read");
        static_assert(canBeMade(), "ferry: the keys and values of a map or set (see T) need a default constructor to be read");
        detail::requireMadeReady<Key>();
        if constexpr (detail::MapValue<T>) detail::requireMadeReady<typename T::mapped_type>();
        if constexpr (!canBeMade()) {
            return container.end();
        } else if constexpr (detail::MapValue<T>) {
            Key key{};
            Codec<Key>::read(in, key);
            if constexpr (!std::is_move_constructible_v<typename T::mapped_type>) {    // is read where it stays
                const auto place = container.emplace_hint(container.end(), std::piecewise_construct, std::forward_as_tuple(std::move(key)),
                                                          std::forward_as_tuple());
                detail::readValue(in, place->second);
                return place;
            } else {
                typename T::mapped_type value{};
                detail::readValue(in, value);
                return container.emplace_hint(container.end(), std::move(key), std::move(value));
            }
        } else {
            Key key{};
            Codec<Key>::read(in, key);
            return container.emplace_hint(container.end(), std::move(key));
        }
    }
};

}    // namespace ferry
