#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
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
    static constexpr std::array<bool, count> images{isImage<Values>...};
    /// At the first of several neighbours that lie in memory as on the wire: how many they are. Elsewhere 0.
    static constexpr std::array<std::size_t, count> imageRuns = [] {
        std::array<std::size_t, count> lengths{};
        for (std::size_t i = 0; i < count;) {
            const std::size_t first = i;
            while (i < count && images[i]) ++i;
            if (i - first > 1) lengths[first] = i - first;
            if (i == first) ++i;
        }
        return lengths;
    }();
    static constexpr std::size_t intsOfImageRun(std::size_t first) {
        std::size_t ints = 0;
        for (std::size_t i = first; i < first + imageRuns[first]; ++i) ints += fixed[i];
        return ints;
    }
};

/// A visitor that tells which pack the fields make.
struct FindPack {
    template <class... Values>
    constexpr Pack<std::remove_cvref_t<Values>...> operator()(Values&&...) const {
        return {};
    }
};

/// Where the values of a pack lie. Of members of one object the compiler knows the distances, so that what is decided by them costs
/// nothing.
template <class... Values>
std::array<const std::byte*, sizeof...(Values)> addressesOf(const Values&... values) noexcept {
    return {reinterpret_cast<const std::byte*>(std::addressof(values))...};
}

/// Whether the images from this one on lie in memory without gaps and in this order.
template <class Traits, std::size_t First>
bool isAdjacentRun(const std::array<const std::byte*, Traits::count>& addresses) noexcept {
    const std::byte* next = addresses[First];
    for (std::size_t i = First; i < First + Traits::imageRuns[First]; ++i) {
        if (addresses[i] != next) return false;
        next += Traits::fixed[i] * sizeof(std::int32_t);
    }
    return true;
}

/// Steps through the values of a pack; images that lie side by side are one step.
template <class Traits>
struct PackCursor {
    const std::array<const std::byte*, Traits::count> addresses;
    std::size_t copiedEnd = 0;    // the values before this one have been copied together

    /// Whether the value is the first of several that are copied in one piece; then it and the others are done with.
    template <std::size_t Index>
    bool beginsAdjacentRun() noexcept {
        if constexpr (Traits::imageRuns[Index] != 0) {
            if (isAdjacentRun<Traits, Index>(addresses)) {
                copiedEnd = Index + Traits::imageRuns[Index];
                return true;
            }
        }
        return false;
    }

    template <std::size_t Index>
    std::int32_t* put(std::int32_t* target, const auto& value) {
        constexpr std::size_t RunInts = Traits::intsOfImageRun(Index);
        if (Index < copiedEnd) return target;
        if (beginsAdjacentRun<Index>()) {
            std::memcpy(target, addresses[Index], RunInts * sizeof(std::int32_t));
            return target + RunInts;
        }
        return Codec<std::remove_cvref_t<decltype(value)>>::put(target, value);
    }

    template <std::size_t Index>
    const std::int32_t* get(const std::int32_t* source, auto& value, const IntReader& forErrors) {
        constexpr std::size_t RunInts = Traits::intsOfImageRun(Index);
        if (Index < copiedEnd) return source;
        if (beginsAdjacentRun<Index>()) {
            std::memcpy(const_cast<std::byte*>(addresses[Index]), source, RunInts * sizeof(std::int32_t));
            return source + RunInts;
        }
        return Codec<std::remove_cvref_t<decltype(value)>>::get(source, value, forErrors);
    }
};

template <class... Values>
std::int32_t* putPack(std::int32_t* target, const Values&... values) {
    PackCursor<Pack<Values...>> cursor{addressesOf(values...)};
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((target = cursor.template put<I>(target, values)), ...); }
    (std::index_sequence_for<Values...>());
    return target;
}

template <class... Values>
const std::int32_t* getPack(const std::int32_t* source, const IntReader& forErrors, Values&... values) {
    PackCursor<Pack<Values...>> cursor{addressesOf(values...)};
    [&]<std::size_t... I>(std::index_sequence<I...>) { ((source = cursor.template get<I>(source, values, forErrors)), ...); }
    (std::index_sequence_for<Values...>());
    return source;
}

template <class Traits, std::size_t Index, class T>
void writePacked(IntWriter& out, PackCursor<Traits>& cursor, std::int32_t*& target, const T& value) {
    requireWritable<T>();
    if constexpr (fixedInts<T> != 0) {
        if constexpr (Traits::runs[Index] != 0) target = out.claim(Traits::runs[Index]);
        target = cursor.template put<Index>(target, value);
    } else {
        Codec<T>::write(out, value);
    }
}

template <class... Values>
void writePack(IntWriter& out, const Values&... values) {
    PackCursor<Pack<Values...>> cursor{addressesOf(values...)};
    [[maybe_unused]] std::int32_t* target = nullptr;
    [&]<std::size_t... I>(std::index_sequence<I...>) { (writePacked<Pack<Values...>, I>(out, cursor, target, values), ...); }
    (std::index_sequence_for<Values...>());
}

/// What is left does not hold a run of values: finds the first that is incomplete and throws for it.
[[noreturn]] void failShortRun(IntReader& in, const std::size_t* fixedIntsOfValues, std::size_t& index);

template <class Traits, std::size_t Index, class T>
void readPacked(IntReader& in, PackCursor<Traits>& cursor, const std::int32_t*& source, std::size_t& index, T& value) {
    requireWritable<T>();
    index = Index;
    if constexpr (fixedInts<T> != 0) {
        if constexpr (Traits::runs[Index] != 0) {
            if (in.remaining() < Traits::runs[Index]) [[unlikely]] {
                failShortRun(in, Traits::fixed.data(), index);
            }
            source = in.take(Traits::runs[Index]);
        }
        source = cursor.template get<Index>(source, value, in);
    } else {
        Codec<T>::read(in, value);
    }
}

/// Errors learn the name of the field; with fieldNames null, its index.
template <class... Values>
void readPack(IntReader& in, const char* fieldNames, Values&... values) {
    std::size_t index = 0;
    try {
        PackCursor<Pack<Values...>> cursor{addressesOf(values...)};
        [[maybe_unused]] const std::int32_t* source = nullptr;
        [&]<std::size_t... I>(std::index_sequence<I...>) { (readPacked<Pack<Values...>, I>(in, cursor, source, index, values), ...); }
        (std::index_sequence_for<Values...>());
    } catch (...) {
        fieldNames != nullptr ? rethrowFromField(fieldNames, index) : rethrowFromElement(index);
    }
}

}    // namespace ferry::detail
