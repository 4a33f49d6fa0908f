#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <ferry/guard/known/HostMemory.hpp>

namespace ferry::pmpi {

/// Where the ranks of a communicator on one host meet: counters in memory that all of them reach.
///
/// Eight ranks count their arrivals in one counter; the last of each eight counts on in one of the next level, and so on. So a rank that
/// has arrived is needed no more, and all see by one counter that nobody is missing. A combining tree (Yew, Tzeng and Lawrie, Distributing
/// hot-spot addressing in large-scale multiprocessors, 1987). Counters are never set back: meetings have numbers.
///
/// Ownership: borrows the pages.
class ArrivalTree {
public:
    using Counter = HostMemory::Counter;

    static constexpr int groupSize = 8;
    static constexpr int mostRanks = 512;    ///< groupSize to the power of HostMemory::levelCount

    /// There is none.
    ArrivalTree() = default;
    /// pages: by rank of the communicator. slot: the same on all of them. There is none for more ranks than mostRanks.
    ArrivalTree(int rank, std::span<HostMemory::Page* const> pages, int slot);

    bool isThere() const noexcept { return levelCount_ != 0; }
    /// This rank comes to the meeting with this number: 1, 2, ...
    void arrive(std::uint64_t number) noexcept;
    /// The counter of those that have arrived at any meeting, and what it shows when all have come to this one.
    const Counter& root() const noexcept { return *levels_[levelCount_ - 1].counter; }
    std::uint64_t target(std::uint64_t number) const noexcept { return number * levels_[levelCount_ - 1].childCount; }

private:
    struct Level {
        Counter* counter = nullptr;
        std::uint64_t childCount = 0;    ///< ranks, or counters of the level below, that count here
    };

    std::array<Level, HostMemory::levelCount> levels_{};    // those above this rank, from its own
    std::size_t levelCount_ = 0;
};

}    // namespace ferry::pmpi
