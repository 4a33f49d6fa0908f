#include <ferry/serialization/codec/Strided.hpp>

#include <limits>

#include <fmt/format.h>

#include <ferry/serialization/ints/fail.hpp>

namespace ferry::detail {

void requireStrided(bool isNull, std::size_t blockCount, std::ptrdiff_t stride, std::size_t blockElements, std::size_t elementBytes) {
    if (stride < 1) failUsage(fmt::format("expected a stride of 1 element or more, found {}", stride));
    if (blockElements == 0) failUsage("expected blocks of 1 element or more, found blocks of 0 elements");
    if (blockElements > static_cast<std::size_t>(stride) && blockCount > 1)
        failUsage(fmt::format("blocks of {} elements at a stride of {} elements lie over each other", blockElements, stride));
    if (isNull && blockCount != 0) failUsage(fmt::format("expected memory with {} blocks of elements, found a null pointer", blockCount));
    const std::size_t mostElements = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max()) / elementBytes;
    const bool fits = blockElements <= mostElements &&
                      (blockCount <= 1 || (blockCount - 1) <= (mostElements - blockElements) / static_cast<std::size_t>(stride));
    if (!fits)
        failUsage(fmt::format("no memory holds {} blocks of {} elements at a stride of {} elements: is a number negative?", blockCount,
                              blockElements, stride));
}

}    // namespace ferry::detail
