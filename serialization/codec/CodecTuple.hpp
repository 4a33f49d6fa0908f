#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include <ferry/serialization/codec/CodecPack.hpp>

// pair and tuple travel as their elements, one after the other.

namespace ferry {

namespace detail {

template <class Tuple, class... Values>
struct TupleCodec : CursorCodec<Tuple> {
    static constexpr bool isWritable = Pack<Values...>::isWritable;
    static constexpr bool needsGraph = Pack<Values...>::needsGraph;
    static constexpr std::size_t minInts = Pack<Values...>::minTotal;
    static constexpr std::size_t fixedInts = Pack<Values...>::fixedTotal;

    static std::int32_t* put(std::int32_t* target, const Tuple& tuple) {
        return std::apply([target](const Values&... values) { return putPack(target, values...); }, tuple);
    }
    static const std::int32_t* get(const std::int32_t* source, Tuple& tuple, const IntReader& forErrors) {
        return std::apply([&](Values&... values) { return getPack(source, forErrors, values...); }, tuple);
    }
    static void write(IntWriter& out, const Tuple& tuple) {
        std::apply([&out](const Values&... values) { writePack(out, values...); }, tuple);
    }
    static const std::int32_t* readFrom(const std::int32_t* cursor, IntReader& in, Tuple& tuple) {
        return std::apply([&](Values&... values) { return readPackFrom(cursor, in, nullptr, values...); }, tuple);
    }
};

}    // namespace detail

template <class First, class Second>
struct Codec<std::pair<First, Second>> : detail::TupleCodec<std::pair<First, Second>, First, Second> {};

template <class... Values>
struct Codec<std::tuple<Values...>> : detail::TupleCodec<std::tuple<Values...>, Values...> {};

}    // namespace ferry
