#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/serialization/Codec.hpp>

namespace ferry::detail {

/// The ranks of a job that are not lost, as places in a binomial tree. The lowest of them is the root. Ranks with the same list of lost
/// ranks see the same tree.
class LivingRanks {
public:
    /// size: number of ranks, lost or not.
    explicit LivingRanks(int size) noexcept : size_(size) {}
    /// lost: in ascending order.
    LivingRanks(int size, std::vector<std::int32_t> lost) noexcept : size_(size), lost_(std::move(lost)) {}
    /// The ranks that are not lost as far as the departures know.
    static LivingRanks of(const Departures& departures, int size);
    /// Reads a list of lost ranks. Errors: SerializationError for a list that cannot be. reader: the rank that reads, which is not lost.
    static LivingRanks read(IntReader& in, int size, int reader, int sender);

    const std::vector<std::int32_t>& lost() const noexcept { return lost_; }
    bool isLost(int rank) const noexcept;
    int count() const noexcept { return size_ - static_cast<int>(lost_.size()); }
    int root() const noexcept { return rankOf(0); }
    /// The place of a rank that is not lost.
    TreePlace placeOf(int rank) const;
    /// The rank and all ranks below it. In the tree, they are neighbours.
    std::vector<int> from(int rank) const;

private:
    int rankOf(int index) const noexcept;
    int indexOf(int rank) const noexcept;

    int size_;
    std::vector<std::int32_t> lost_;
};

}    // namespace ferry::detail
