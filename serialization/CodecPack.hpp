#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <ferry/serialization/CodecTraits.hpp>

// Several values one after the other: the fields of a class, the elements of a tuple. Neighbours whose ints are known in number are written
// and read with one check for all of them.

namespace ferry::detail {

template <class... Values>
struct Pack {
    static constexpr std::size_t count = sizeof...(Values);
    static constexpr bool isWritable = (Writable<Values> && ...);
    static constexpr bool isFixed = ((fixedInts<Values> != 0) && ...) && count != 0;
    static constexpr std::size_t fixedTotal = isFixed ? (fixedInts<Values> + ... + 0) : 0;
    static constexpr std::size_t minTotal = (minInts<Values> + ... + 0);
    /// All values lie in memory as on the wire; says nothing about gaps between them.
    static constexpr bool areImages = (isImage<Values> && ...) && count != 0;

    static constexpr std::array<std::size_t, count> fixed{fixedInts<Values>...};
    /// At the first of several neighbours of fixed size: how many ints they take together. Elsewhere 0.
    static constexpr std::array<std::size_t, count> runs = [] {
        std::array<std::size_t, count> totals{};
        for (std::size_t i = 0; i < count;) {
            const std::size_t first = i;
            for (; i < count && fixed[i] != 0; ++i) totals[first] += fixed[i];
            if (i == first) ++i;
        }
        return totals;
    }();
};

/// A visitor that tells which pack the fields make.
struct FindPack {
    template <class... Values>
    constexpr Pack<std::remove_cvref_t<Values>...> operator()(Values&&...) const {
        return {};
    }
};

template <class... Values>
std::int32_t* putPack(std::int32_t* target, const Values&... values) {
    ((target = Codec<Values>::put(target, values)), ...);
    return target;
}

template <class... Values>
const std::int32_t* getPack(const std::int32_t* source, const IntReader& forErrors, Values&... values) {
    ((source = Codec<Values>::get(source, values, forErrors)), ...);
    return source;
}

template <std::size_t RunInts, class T>
void writePacked(IntWriter& out, std::int32_t*& target, const T& value) {
    requireWritable<T>();
    if constexpr (fixedInts<T> != 0) {
        if constexpr (RunInts != 0) target = out.claim(RunInts);
        target = Codec<T>::put(target, value);
    } else {
        Codec<T>::write(out, value);
    }
}

template <std::size_t... I, class... Values>
void writePackAt(std::index_sequence<I...>, IntWriter& out, const Values&... values) {
    [[maybe_unused]] std::int32_t* target = nullptr;
    (writePacked<Pack<Values...>::runs[I]>(out, target, values), ...);
}

template <class... Values>
void writePack(IntWriter& out, const Values&... values) {
    writePackAt(std::index_sequence_for<Values...>(), out, values...);
}

/// What is left does not hold a run of values: finds the first that is incomplete and throws for it.
[[noreturn]] void failShortRun(IntReader& in, const std::size_t* fixedIntsOfValues, std::size_t& index);

template <class Traits, std::size_t Index, class T>
void readPacked(IntReader& in, const std::int32_t*& source, std::size_t& index, T& value) {
    requireWritable<T>();
    index = Index;
    if constexpr (fixedInts<T> != 0) {
        if constexpr (Traits::runs[Index] != 0) {
            if (in.remaining() < Traits::runs[Index]) [[unlikely]] {
                failShortRun(in, Traits::fixed.data(), index);
            }
            source = in.take(Traits::runs[Index]);
        }
        source = Codec<T>::get(source, value, in);
    } else {
        Codec<T>::read(in, value);
    }
}

/// Errors learn the name of the field; with fieldNames null, its index.
template <std::size_t... I, class... Values>
void readPackAt(std::index_sequence<I...>, IntReader& in, const char* fieldNames, Values&... values) {
    std::size_t index = 0;
    try {
        [[maybe_unused]] const std::int32_t* source = nullptr;
        (readPacked<Pack<Values...>, I>(in, source, index, values), ...);
    } catch (...) {
        fieldNames != nullptr ? rethrowFromField(fieldNames, index) : rethrowFromElement(index);
    }
}

template <class... Values>
void readPack(IntReader& in, const char* fieldNames, Values&... values) {
    readPackAt(std::index_sequence_for<Values...>(), in, fieldNames, values...);
}

}    // namespace ferry::detail
