#pragma once

#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include <ferry/connector/collective/course/Outcome.hpp>

namespace ferry::detail {

/// The division of a vector's elements into one block for each rank, in the order of ranks.
class Blocks {
public:
    /// lengths: the number of elements in each rank's block; empty: all blocks are equal.
    Blocks(std::vector<std::size_t> lengths, int rankCount)
        : lengths_(std::move(lengths)),
          rankCount_(static_cast<std::size_t>(rankCount)) {}

    /// Returns the values. The outcome is a UsageError when the values cannot be divided into these blocks.
    template <class T>
    Outcome<std::vector<T>> check(std::vector<T> values) {
        return Outcome<std::vector<T>>::of([&] {
            settle(values.size());
            return std::move(values);
        });
    }

    /// Divides all into the blocks of the ranks. When all is a failure, every block is that failure.
    template <class T>
    std::vector<Outcome<std::vector<T>>> divide(Outcome<std::vector<T>>& all) const {
        std::vector<Outcome<std::vector<T>>> blocks;
        std::size_t begin = 0;
        for (std::size_t rank = 0; rank < rankCount_; ++rank) {
            blocks.push_back(Outcome<std::vector<T>>::of([&] {
                const auto first = std::make_move_iterator(all.value().begin() + static_cast<std::ptrdiff_t>(begin));
                return std::vector<T>(first, first + static_cast<std::ptrdiff_t>(lengths_[rank]));
            }));
            begin += lengths_.empty() ? 0 : lengths_[rank];
        }
        return blocks;
    }

    /// Returns the block that has come for the rank. Errors: CollectiveMismatch when rank 0 divides the vector in another way.
    template <class T>
    std::vector<T> requireOwn(std::vector<T> block, int rank) const {
        requireLength(block.size(), rank);
        return block;
    }

private:
    /// Fixes the lengths for a vector of elementCount elements. Errors: UsageError when the lengths do not fit.
    void settle(std::size_t elementCount);
    void requireLength(std::size_t found, int rank) const;

    std::vector<std::size_t> lengths_;
    std::size_t rankCount_;
};

}    // namespace ferry::detail
