#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <ferry/serialization/codec/Strided.hpp>

namespace ferry {

namespace detail {

/// A number of elements in one dimension, made from a number of any integral type. Too large a number counts as a negative one.
struct DimensionNumber {
    DimensionNumber() = default;
    template <std::integral Number>
    DimensionNumber(Number number)    // NOLINT(google-explicit-constructor): lists of numbers are passed
        : value(std::in_range<std::int64_t>(number) ? static_cast<std::int64_t>(number) : -1) {}

    std::int64_t value = 0;
};

template <std::size_t dimensions>
using DimensionNumbers = std::array<DimensionNumber, dimensions>;

/// Errors: UsageError for a part that does not lie within the array, an array that no memory can hold, and a null pointer.
void requireSubarray(bool isNull, std::span<const DimensionNumber> sizes, std::span<const DimensionNumber> counts,
                     std::span<const DimensionNumber> starts, std::size_t elementBytes);

template <std::size_t dimensions, class Numbers>
DimensionNumbers<dimensions> dimensionNumbers(const Numbers& numbers) {
    DimensionNumbers<dimensions> result;
    for (std::size_t i = 0; i < dimensions; ++i) result[i] = numbers[i];
    return result;
}

/// The innermost dimensions that the part takes whole lie in one block with the next dimension.
template <class T, std::size_t dimensions>
auto subarrayOf(T* array, const DimensionNumbers<dimensions>& sizes, const DimensionNumbers<dimensions>& counts,
                const DimensionNumbers<dimensions>& starts) {
    requireSubarray(array == nullptr, sizes, counts, starts, sizeof(T));
    constexpr std::size_t levelCount = dimensions > 1 ? dimensions - 1 : 1;
    typename Strided<T, levelCount>::Levels levels;
    levels.fill({1, 1});
    std::ptrdiff_t distance = 1;    // of neighbours in the dimension
    std::ptrdiff_t offset = 0;
    std::size_t blockElements = 1;
    bool isInBlock = true;
    bool isEmpty = false;
    for (std::size_t i = dimensions; i-- > 0;) {
        const auto count = static_cast<std::size_t>(counts[i].value);
        offset += static_cast<std::ptrdiff_t>(starts[i].value) * distance;
        if (isInBlock)
            blockElements *= count;
        else
            levels[i] = {count, distance};
        isInBlock = isInBlock && counts[i].value == sizes[i].value;
        isEmpty = isEmpty || count == 0;
        distance *= static_cast<std::ptrdiff_t>(sizes[i].value);
    }
    if (isEmpty) {
        levels.front().count = 0;
        return Strided<T, levelCount>(array, levels, 1);
    }
    return Strided<T, levelCount>(array + offset, levels, blockElements);
}

}    // namespace detail

/// Names a part of an array with several dimensions, to be sent, or received into, where it lies. For instance the face of a field behind
/// its last plane in x: connector.send(1, ferry::subarray(field, {nz, ny, nx}, {nz, ny, 1}, {0, 0, nx - 1})).
///
/// array: its first element. Neighbours in the last dimension lie side by side (the order of C). sizes: of the whole array in elements, for
/// each dimension. counts: of the part. starts: where the part begins. The order is that of MPI_Type_create_subarray. Each is a list of
/// integral numbers, a std::array or a C array.
///
/// The elements travel as those of a std::vector, and meet vectors, spans and arrays. Elements outside of the part stay as they are.
/// Errors: UsageError for a part that does not lie within the array, and for a null pointer. A receive of another number of elements throws
/// SerializationError.
template <class T, std::size_t dimensions>
auto subarray(T* array, const detail::DimensionNumber (&sizes)[dimensions], const detail::DimensionNumber (&counts)[dimensions],
              const detail::DimensionNumber (&starts)[dimensions]) {
    return detail::subarrayOf<T, dimensions>(array, detail::dimensionNumbers<dimensions>(sizes),
                                             detail::dimensionNumbers<dimensions>(counts), detail::dimensionNumbers<dimensions>(starts));
}
template <class T, std::size_t dimensions, std::integral Size, std::integral Count, std::integral Start>
auto subarray(T* array, const Size (&sizes)[dimensions], const Count (&counts)[dimensions], const Start (&starts)[dimensions]) {
    return detail::subarrayOf<T, dimensions>(array, detail::dimensionNumbers<dimensions>(sizes),
                                             detail::dimensionNumbers<dimensions>(counts), detail::dimensionNumbers<dimensions>(starts));
}
template <class T, std::size_t dimensions, std::integral Size, std::integral Count, std::integral Start>
auto subarray(T* array, const std::array<Size, dimensions>& sizes, const std::array<Count, dimensions>& counts,
              const std::array<Start, dimensions>& starts) {
    return detail::subarrayOf<T, dimensions>(array, detail::dimensionNumbers<dimensions>(sizes),
                                             detail::dimensionNumbers<dimensions>(counts), detail::dimensionNumbers<dimensions>(starts));
}

}    // namespace ferry
