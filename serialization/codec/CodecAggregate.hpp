#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <ferry/serialization/codec/CodecPack.hpp>
#include <ferry/serialization/ints/AggregateFields.hpp>

// Plain structs without serialization code: public fields, no base class, no constructor, up to 32 fields. The fields travel in the order
// of declaration.

namespace ferry {

namespace detail {

template <class T>
using AggregatePack = decltype(visitAggregate(std::declval<const T&>(), FindPack()));

}    // namespace detail

template <class T>
    requires(detail::codecKind<T> == detail::CodecKind::Aggregate)
struct Codec<T> : detail::CursorCodec<T> {
    static constexpr bool isWritable = true;
    static constexpr std::size_t minInts = detail::AggregatePack<T>::minTotal;
    static constexpr std::size_t fixedInts = detail::AggregatePack<T>::fixedTotal;
    static constexpr bool isImage =
        std::is_trivially_copyable_v<T> && detail::AggregatePack<T>::areImages && sizeof(T) == sizeof(std::int32_t) * fixedInts;

    static std::int32_t* put(std::int32_t* target, const T& object) {
        return detail::visitAggregate(object, [target](const auto&... fields) { return detail::putPack(target, fields...); });
    }
    static const std::int32_t* get(const std::int32_t* source, T& object, const IntReader& forErrors) {
        return detail::visitAggregate(object, [&](auto&... fields) { return detail::getPack(source, forErrors, fields...); });
    }
    static void write(IntWriter& out, const T& object) {
        detail::visitAggregate(object, [&out](const auto&... fields) { detail::writePack(out, fields...); });
    }
    static const std::int32_t* readFrom(const std::int32_t* cursor, IntReader& in, T& object) {
        return detail::visitAggregate(object, [&](auto&... fields) { return detail::readPackFrom(cursor, in, nullptr, fields...); });
    }
};

}    // namespace ferry
