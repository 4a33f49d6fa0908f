#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <ferry/serialization/boost/BoostInputArchive.hpp>
#include <ferry/serialization/boost/BoostOutputArchive.hpp>

// Types with functions for Boost.Serialization (serialize, or save and load, in the class or beside it) can travel by these functions. Each
// value uses its own archive. Include this header before BOOST_CLASS_EXPORT, and link ferry::boost.
//
//     template <> inline constexpr bool ferry::useBoost<Legacy> = true;    // all values of a type: as a field, an element, behind <<
//     FERRY_FIELDS(name, ferry::boosted(birthday))                         // one field
//     connector.send(1, ferry::boostSerialized(legacy));                   // one value
//     auto legacy = connector.receive<ferry::BoostSerialized<Legacy>>(0);  // legacy->name, *legacy

namespace ferry {

namespace detail {

/// Refers to a value that travels by its functions for Boost.Serialization.
template <class T>
struct Boosted {
    T& value;
};

}    // namespace detail

/// In a list of fields: this field travels by its functions for Boost.Serialization.
template <class T>
const detail::Boosted<T> boosted(T& value) {
    return {value};
}

/// Holds a value that travels by its functions for Boost.Serialization.
template <class T>
class BoostSerialized {
public:
    BoostSerialized() = default;
    explicit BoostSerialized(T value) : value_(std::move(value)) {}

    T& operator*() noexcept { return value_; }
    const T& operator*() const noexcept { return value_; }
    T* operator->() noexcept { return std::addressof(value_); }
    const T* operator->() const noexcept { return std::addressof(value_); }

private:
    T value_{};
};

/// A copy of the value that travels by the functions of its type for Boost.Serialization.
template <class T>
BoostSerialized<std::remove_cvref_t<T>> boostSerialized(T&& value) {
    return BoostSerialized<std::remove_cvref_t<T>>(std::forward<T>(value));
}

namespace detail {

template <class T>
inline constexpr bool isFieldProxy<Boosted<T>> = true;

/// To be called in a handler. An exception that a type's own functions threw for bad values becomes the cause of a SerializationError.
[[noreturn]] void rethrowFromBoost(const IntReader& in);

template <class T>
struct BoostCodec {
    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = 1;

    static void write(IntWriter& out, const T& value) {
        const IntWriter::Nesting nesting(out);
        BoostOutputArchive archive(out);
        archive << value;
    }
    static void read(IntReader& in, T& value) {
        const IntReader::Nesting nesting(in);
        try {
            BoostInputArchive archive(in);
            archive >> value;
        } catch (...) {
            rethrowFromBoost(in);
        }
    }
};

}    // namespace detail

template <class T>
    requires(useBoost<T>)
struct Codec<T> : detail::BoostCodec<T> {};

template <class T>
struct Codec<detail::Boosted<T>> {
    using Value = std::remove_const_t<T>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = detail::BoostCodec<Value>::minInts;
    static void write(IntWriter& out, const detail::Boosted<T>& boosted) { detail::BoostCodec<Value>::write(out, boosted.value); }
    static void read(IntReader& in, const detail::Boosted<T>& boosted) { detail::BoostCodec<Value>::read(in, boosted.value); }
};
template <class T>
struct Codec<const detail::Boosted<T>> : Codec<detail::Boosted<T>> {};

template <class T>
struct Codec<BoostSerialized<T>> {
    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = detail::BoostCodec<T>::minInts;
    static void write(IntWriter& out, const BoostSerialized<T>& held) { detail::BoostCodec<T>::write(out, *held); }
    static void read(IntReader& in, BoostSerialized<T>& held) { detail::BoostCodec<T>::read(in, *held); }
};

}    // namespace ferry
