#pragma once

#include <ferry/serialization/CodecPack.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <boost/pfr/core.hpp>

// Plain structs without a line of code: public fields, no base class, no constructor, no C arrays. Their fields, in the order of declaration.

namespace ferry {

namespace detail {

template <class T, std::size_t... I>
Pack<boost::pfr::tuple_element_t<I, T>...> packOfAggregate(std::index_sequence<I...>);

template <class T>
using AggregatePack = decltype(packOfAggregate<T>(std::make_index_sequence<boost::pfr::tuple_size_v<T>>()));

}  // namespace detail

template <class T>
    requires(codecKind<T> == CodecKind::Aggregate)
struct Codec<T> {
    using Indices = std::make_index_sequence<boost::pfr::tuple_size_v<T>>;

    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = detail::AggregatePack<T>::minTotal;
    static constexpr std::size_t fixedInts = detail::AggregatePack<T>::fixedTotal;
    static constexpr bool isImage =
        std::is_trivially_copyable_v<T> && detail::AggregatePack<T>::areImages && sizeof(T) == sizeof(std::int32_t) * fixedInts;

    static std::int32_t* put(std::int32_t* target, const T& object) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) { return detail::putPack(target, boost::pfr::get<I>(object)...); }(Indices());
    }
    static const std::int32_t* get(const std::int32_t* source, T& object, const IntReader& forErrors) {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return detail::getPack(source, forErrors, boost::pfr::get<I>(object)...);
        }(Indices());
    }
    static void write(IntWriter& out, const T& object) {
        [&]<std::size_t... I>(std::index_sequence<I...>) { detail::writePack(out, boost::pfr::get<I>(object)...); }(Indices());
    }
    static void read(IntReader& in, T& object) {
        [&]<std::size_t... I>(std::index_sequence<I...>) { detail::readPack(in, nullptr, boost::pfr::get<I>(object)...); }(Indices());
    }
};

}  // namespace ferry
