#include <ferry/connector/collective/shape/collectiveErrors.hpp>

#include <fmt/format.h>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void failOneForEach(const char* call, int rankCount, std::size_t valueCount) {
    throw UsageError(fmt::format("{} needs a value for each of the {} ranks, not {}", call, rankCount, valueCount));
}

void failDestinations(std::size_t destinationCount, std::size_t valueCount) {
    throw UsageError(fmt::format("allToAll needs a value for each of the {} destinations, not {}", destinationCount, valueCount));
}

void failOneElement(std::size_t count) { throw SerializationError(fmt::format("one element was expected, {} came", count)); }

void failGridStep(std::size_t expectedCount, std::size_t count) {
    throw SerializationError(fmt::format("expected {} values in a step over the grid, found {}", expectedCount, count));
}

void failLengths(int leftRank, std::size_t leftCount, int rightRank, std::size_t rightCount) {
    throw CollectiveMismatch({leftRank, fmt::format("a reduction of {} elements", leftCount)},
                             {rightRank, fmt::format("one of {}", rightCount)});
}

void failSubtree(std::uint64_t begin, std::uint64_t end, std::uint64_t place, std::int32_t level) {
    throw SerializationError(fmt::format("expected the combined elements from {} to {}, found {} * 2^{}", begin, end, place, level));
}

void failSubtreesEnd(std::uint64_t expectedEnd, std::uint64_t end) {
    throw SerializationError(fmt::format("expected combined elements up to {}, found them up to {}", expectedEnd, end));
}

void failNoElement() { throw UsageError("a reproducible reduction needs at least one element on any rank"); }

}    // namespace ferry::detail
