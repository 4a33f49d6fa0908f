#include <ferry/connector/collective/Blocks.hpp>

#include <numeric>

#include <fmt/format.h>

#include <ferry/connector/exception/CollectiveMismatch.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

void Blocks::settle(std::size_t elementCount) {
    if (lengths_.empty()) {
        if (elementCount % rankCount_ != 0)
            throw UsageError(fmt::format("{} elements cannot be divided into {} equal blocks", elementCount, rankCount_));
        lengths_.assign(rankCount_, elementCount / rankCount_);
    }
    if (lengths_.size() != rankCount_)
        throw UsageError(fmt::format("reduceScatter needs a length for each of the {} ranks, not {}", rankCount_, lengths_.size()));
    const std::size_t sum = std::accumulate(lengths_.begin(), lengths_.end(), std::size_t{0});
    if (sum != elementCount)
        throw UsageError(fmt::format("reduceScatter has blocks of {} elements in all, but a vector of {}", sum, elementCount));
}

void Blocks::requireLength(std::size_t found, int rank) const {
    const std::size_t expected = lengths_[static_cast<std::size_t>(rank)];
    if (found == expected) return;
    throw CollectiveMismatch({rank, fmt::format("a reduceScatter with {} elements for rank {}", expected, rank)},
                             {0, fmt::format("a reduceScatter with {} elements", found)});
}

}    // namespace ferry::detail
