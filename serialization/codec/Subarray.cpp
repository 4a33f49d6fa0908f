#include <ferry/serialization/codec/Subarray.hpp>

#include <limits>

#include <fmt/format.h>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

void requireSubarray(bool isNull, std::span<const DimensionNumber> sizes, std::span<const DimensionNumber> counts,
                     std::span<const DimensionNumber> starts, std::size_t elementBytes) {
    const auto mostElements =
        static_cast<std::int64_t>(static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / elementBytes);
    std::int64_t elements = 1;
    bool isEmpty = false;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const std::int64_t size = sizes[i].value, count = counts[i].value, start = starts[i].value;
        const auto require = [i](bool isRight, const char* what, std::int64_t found) {
            if (!isRight) failUsage(fmt::format("expected {} of 0 or more in dimension {}, found {}", what, i, found));
        };
        require(size >= 0, "a size", size);
        require(count >= 0, "a count", count);
        require(start >= 0, "a start", start);
        if (start > size || count > size - start)
            failUsage(
                fmt::format("{} elements from element {} on do not lie within the {} elements of dimension {}", count, start, size, i));
        if (size > mostElements / elements)
            failUsage(fmt::format("no memory holds an array of this size: dimension {} has {} elements", i, size));
        if (size != 0) elements *= size;
        isEmpty = isEmpty || count == 0;
    }
    if (isNull && !isEmpty) failUsage("expected the memory of an array, found a null pointer");
}

}    // namespace ferry::detail
