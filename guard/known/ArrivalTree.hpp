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
/// A counter also adds up the hashes of the calls to which the ranks have come, in its upper bits. The sum shows, at no further cost,
/// whether the ranks of a meeting agree. A combining tree (Yew, Tzeng and Lawrie, Distributing hot-spot addressing in large-scale
/// multiprocessors, 1987). Counters are never reset: meetings have numbers.
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
    /// Notes that this rank arrives at the meeting of this number: 1, 2, ... hash: of the call that it has come to.
    void arrive(std::uint64_t number, std::uint32_t hash = 0) noexcept;
    /// The counter of arrivals at all meetings. target(): its count when all ranks have arrived at the meeting of this number.
    const Counter& root() const noexcept { return *levels_[levelCount_ - 1].counter; }
    std::uint64_t target(std::uint64_t number) const noexcept { return number * levels_[levelCount_ - 1].childCount; }
    static constexpr std::uint64_t countOf(std::uint64_t value) noexcept { return value & ((std::uint64_t{1} << countBits) - 1); }
    /// Whether all ranks have come to equal calls. value: of the root, when all ranks have arrived at the meeting to which this rank has
    /// arrived last, and none at a later one.
    bool isAgreed(std::uint64_t value) const noexcept { return hashOf(value) == expectedAt(levelCount_ - 1); }
    /// Takes the sums of the counters as they are. To be called by each rank when all ranks have arrived at a meeting without agreement,
    /// and before any rank arrives at the next one.
    void accept() noexcept;
    /// Goes on from the sums of another tree of the same ranks.
    void continueFrom(const ArrivalTree& earlier) noexcept {
        bases_ = earlier.bases_;
        sum_ = earlier.sum_;
    }

private:
    static constexpr int countBits = 44;    // enough for ten days of nothing but meetings
    static constexpr std::uint32_t hashMask = (std::uint32_t{1} << (64 - countBits)) - 1;

    static constexpr std::uint32_t hashOf(std::uint64_t value) noexcept { return static_cast<std::uint32_t>(value >> countBits); }
    std::uint32_t expectedAt(std::size_t level) const noexcept {
        return (bases_[level] + static_cast<std::uint32_t>(levels_[level].childCount) * sum_) & hashMask;
    }

    struct Level {
        Counter* counter = nullptr;
        std::uint64_t childCount = 0;    ///< number of ranks, or of counters of the level below, that count here
    };

    std::array<Level, HostMemory::levelCount> levels_{};    // the levels above this rank, from the lowest one
    std::size_t levelCount_ = 0;
    std::array<std::uint32_t, HostMemory::levelCount> bases_{};    // sums of the levels that were accepted last
    std::uint32_t sum_ = 0;                                        // of the hashes of this rank since then
};

}    // namespace ferry::pmpi
