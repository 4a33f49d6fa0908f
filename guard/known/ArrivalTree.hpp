#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/guard/known/HostMemory.hpp>

namespace ferry::pmpi {

/// A meeting place for the ranks of a communicator on one host: counters in memory that all of them reach.
///
/// Each eight ranks count their arrivals in one counter. The last of the eight counts on in a counter of the next level, and so on. A rank
/// that has arrived is needed no more, and one counter shows to all ranks whether any rank is missing.
/// A combining tree (Yew, Tzeng and Lawrie, Distributing hot-spot addressing in large-scale multiprocessors, 1987). Counters are never
/// reset: meetings have numbers.
///
/// Ownership: borrows the pages.
class ArrivalTree {
public:
    using Counter = HostMemory::Counter;

    static constexpr int groupSize = 8;
    static constexpr int mostRanks = 512;    ///< groupSize to the power of HostMemory::levelCount

    /// An empty tree: isThere() is false.
    ArrivalTree() = default;
    /// pages: by rank of the communicator. slot: equal on all ranks. With more ranks than mostRanks the tree is empty.
    ArrivalTree(int rank, std::span<HostMemory::Page* const> pages, int slot);

    bool isThere() const noexcept { return levelCount_ != 0; }
    /// Notes that this rank arrives at the meeting of this number: 1, 2, ...
    void arrive(std::uint64_t number) noexcept;
    /// The counter of arrivals at all meetings. target(): its value when all ranks have arrived at the meeting of this number.
    const Counter& root() const noexcept { return *levels_[levelCount_ - 1].counter; }
    std::uint64_t target(std::uint64_t number) const noexcept { return number * levels_[levelCount_ - 1].childCount; }

private:
    struct Level {
        Counter* counter = nullptr;
        std::uint64_t childCount = 0;    ///< number of ranks, or of counters of the level below, that count here
    };

    std::array<Level, HostMemory::levelCount> levels_{};    // the levels above this rank, from the lowest one
    std::size_t levelCount_ = 0;
};

}    // namespace ferry::pmpi
