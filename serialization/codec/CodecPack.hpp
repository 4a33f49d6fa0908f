#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

#include <ferry/serialization/ints/CodecTraits.hpp>

// Several values one after the other: the fields of a class, the elements of a tuple. Neighbouring values of fixed size are written and
// read with one size check for all of them.

namespace ferry::detail {

/// Sums runs of neighbouring numbers that are not 0. The first index of a run holds its sum. All other indices hold 0.
template <std::size_t Count>
consteval std::array<std::size_t, Count> sumRuns(const std::array<std::size_t, Count>& ints) {
    std::array<std::size_t, Count> totals{};
    for (std::size_t i = 0; i < Count;) {
        const std::size_t first = i;
        for (; i < Count && ints[i] != 0; ++i) totals[first] += ints[i];
        if (i == first) ++i;
    }
    return totals;
}

template <class... Values>
struct Pack {
    static constexpr std::size_t count = sizeof...(Values);
    static constexpr bool isWritable = (Writable<Values> && ...);
    static constexpr bool needsGraph = (ferry::detail::needsGraph<Values> || ...);
    static constexpr bool isFixed = ((fixedInts<Values> != 0) && ...) && count != 0;
    static constexpr bool hasLargeField = (isLargeField<Values> || ...);
    static constexpr bool hasOwners = (isOwner<Values> || ...);
    static constexpr std::size_t fixedTotal = isFixed ? (fixedInts<Values> + ... + 0) : 0;
    static constexpr std::size_t minTotal = (minInts<Values> + ... + 0);
    /// All values lie in memory as on the wire. There may be gaps between them.
    static constexpr bool areImages = (isImage<Values> && ...) && count != 0;

    static constexpr std::array<std::size_t, count> fixed{fixedInts<Values>...};
    static constexpr std::array<std::size_t, count> fixedWhereSmall{(isLargeField<Values> ? 0 : fixedInts<Values>)...};
    /// The first index of a run of fixed-size neighbours holds their total number of ints. All other indices hold 0.
    static constexpr std::array<std::size_t, count> runs = sumRuns(fixed);
    /// Like runs, without large fields. Used for writing.
    static constexpr std::array<std::size_t, count> writtenRuns = sumRuns(fixedWhereSmall);
};

/// A visitor that returns the pack of the fields.
struct FindPack {
    template <class... Values>
    constexpr Pack<std::remove_cvref_t<Values>...> operator()(Values&&...) const {
        return {};
    }
};

/// Whether values that are images lie in memory side by side, in this order. For the members of one object the compiler computes the
/// result.
template <class First, class... Rest>
[[gnu::always_inline]] inline bool areAdjacent(const First& first, const Rest&... rest) noexcept {
    const auto* end = reinterpret_cast<const std::byte*>(std::addressof(first)) + sizeof(First);
    const auto follows = [&end](const auto& value) {
        const auto* begin = reinterpret_cast<const std::byte*>(std::addressof(value));
        const bool isNext = begin == end;
        end = begin + sizeof(value);
        return isNext;
    };
    return (follows(rest) && ...);
}

template <class First, class... Rest>
const void* addressOfFirst(const First& first, const Rest&...) noexcept {
    return std::addressof(first);
}

/// Writes values of fixed size, one after the other. Values that lie in memory as on the wire are copied in one piece.
template <class... Values>
[[gnu::always_inline]] inline std::int32_t* putPack(std::int32_t* target, const Values&... values) {
    if constexpr (Pack<Values...>::areImages && Pack<Values...>::count > 1) {
        if (areAdjacent(values...)) {
            std::memcpy(target, addressOfFirst(values...), Pack<Values...>::fixedTotal * sizeof(std::int32_t));
            return target + Pack<Values...>::fixedTotal;
        }
    }
    ((target = Codec<Values>::put(target, values)), ...);
    return target;
}

template <class... Values>
[[gnu::always_inline]] inline const std::int32_t* getPack(const std::int32_t* source, const IntReader& forErrors, Values&... values) {
    if constexpr (Pack<Values...>::areImages && Pack<Values...>::count > 1) {
        if (areAdjacent(values...)) {
            std::memcpy(const_cast<void*>(addressOfFirst(values...)), source, Pack<Values...>::fixedTotal * sizeof(std::int32_t));
            return source + Pack<Values...>::fixedTotal;
        }
    }
    ((source = Codec<Values>::get(source, values, forErrors)), ...);
    return source;
}

template <std::size_t RunInts, class T>
[[gnu::always_inline]] inline void writePacked(IntWriter& out, std::int32_t*& target, const T& value) {
    requireWritable<T>();
    if constexpr (fixedInts<T> != 0 && !isLargeField<T>) {
        if constexpr (RunInts != 0) target = out.claim(RunInts);
        target = Codec<T>::put(target, value);
    } else {
        Codec<T>::write(out, value);
    }
}

template <std::size_t... I, class... Values>
[[gnu::always_inline]] inline void writePackAt(std::index_sequence<I...>, IntWriter& out, const Values&... values) {
    [[maybe_unused]] std::int32_t* target = nullptr;
    (writePacked<Pack<Values...>::writtenRuns[I]>(out, target, values), ...);
}

template <class... Values>
[[gnu::always_inline]] inline void writePack(IntWriter& out, const Values&... values) {
    if constexpr (Pack<Values...>::isFixed && !Pack<Values...>::hasLargeField) {
        putPack(out.claim(Pack<Values...>::fixedTotal), values...);
    } else {
        writePackAt(std::index_sequence_for<Values...>(), out, values...);
    }
}

/// Throws SerializationError for the first value of a run that is incomplete in the remaining ints.
[[noreturn]] void failShortRun(IntReader& in, const std::size_t* fixedIntsOfValues, std::size_t& index);

template <class Traits, std::size_t Index, class T>
[[gnu::always_inline]] inline const std::int32_t* readPacked(const std::int32_t* cursor, IntReader& in, const std::int32_t*& source,
                                                             std::size_t& index, T& value) {
    index = Index;
    if constexpr (fixedInts<T> != 0) {
        requireWritable<T>();
        if constexpr (Traits::runs[Index] != 0) {
            if (in.remainingAt(cursor) < Traits::runs[Index]) [[unlikely]] {
                in.moveTo(cursor);
                failShortRun(in, Traits::fixed.data(), index);
            }
            source = in.takeAt(cursor, Traits::runs[Index]);
        }
        source = Codec<T>::get(source, value, in);
        return cursor;
    } else {
        return readValueFrom(cursor, in, value);
    }
}

template <std::size_t... I, class... Values>
[[gnu::always_inline]] inline const std::int32_t* readPackAt(std::index_sequence<I...>, const std::int32_t* cursor, IntReader& in,
                                                             std::size_t& index, Values&... values) {
    [[maybe_unused]] const std::int32_t* source = nullptr;
    ((cursor = readPacked<Pack<Values...>, I>(cursor, in, source, index, values)), ...);
    return cursor;
}

/// Reads at the cursor and returns the cursor after the values. An error gets the name of the field, or its index if fieldNames is null.
template <class... Values>
[[gnu::always_inline]] inline const std::int32_t* readPackFrom(const std::int32_t* cursor, IntReader& in, const char* fieldNames,
                                                               Values&... values) {
    using Traits = Pack<Values...>;
    if constexpr (Traits::areImages) {
        if (in.remainingAt(cursor) >= Traits::fixedTotal) [[likely]] {
            return getPack(cursor, in, values...);    // all ints are valid values
        }
    }
    std::size_t index = 0;
    try {
        return readPackAt(std::index_sequence_for<Values...>(), cursor, in, index, values...);
    } catch (...) {
        fieldNames != nullptr ? rethrowFromField(fieldNames, index) : rethrowFromElement(index);
    }
}

template <class... Values>
void readPack(IntReader& in, const char* fieldNames, Values&... values) {
    in.moveTo(readPackFrom(in.cursor(), in, fieldNames, values...));
}

}    // namespace ferry::detail
