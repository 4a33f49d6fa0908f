#pragma once

#include <cstddef>
#include <cstdint>

// The errors of collectives. They are thrown here, so that programs that call collectives do not compile the making of their texts.

namespace ferry::detail {

/// UsageError: a call needs a value for each of the ranks.
[[noreturn]] void failOneForEach(const char* call, int rankCount, std::size_t valueCount);
/// UsageError: an exchange with neighbours needs a value for each of the destinations.
[[noreturn]] void failDestinations(std::size_t destinationCount, std::size_t valueCount);
/// SerializationError: several elements came for one value.
[[noreturn]] void failOneElement(std::size_t count);
/// SerializationError: a step over the grid of ranks has another number of values.
[[noreturn]] void failGridStep(std::size_t expectedCount, std::size_t count);
/// CollectiveMismatch: two ranks reduce vectors of different lengths.
[[noreturn]] void failLengths(int leftRank, std::size_t leftCount, int rightRank, std::size_t rightCount);
/// SerializationError: a combined value is not one of the elements from begin to end.
[[noreturn]] void failSubtree(std::uint64_t begin, std::uint64_t end, std::uint64_t place, std::int32_t level);
/// SerializationError: the combined values end at another element.
[[noreturn]] void failSubtreesEnd(std::uint64_t expectedEnd, std::uint64_t end);
/// UsageError: there is no element to reduce.
[[noreturn]] void failNoElement();

}    // namespace ferry::detail
