#include <ferry/guard/known/ArrivalTree.hpp>

#include <algorithm>

namespace ferry::pmpi {

ArrivalTree::ArrivalTree(int rank, std::span<HostMemory::Page* const> pages, int slot) {
    const int size = static_cast<int>(pages.size());
    if (size > mostRanks) return;
    const auto place = static_cast<std::size_t>(slot);
    int childCount = size;    // children of this level, in all groups
    int first = 1;            // distance in ranks from one child to the next
    do {
        const int group = rank / (first * groupSize);
        Level& level = levels_[levelCount_];
        HostMemory::Page& page = *pages[static_cast<std::size_t>(group * first * groupSize)];    // page of the first rank below
        level.counter = &page.lines[place][levelCount_].counter;
        level.childCount = static_cast<std::uint64_t>(std::min(groupSize, childCount - group * groupSize));
        ++levelCount_;
        first *= groupSize;
        childCount = (childCount + groupSize - 1) / groupSize;
    } while (childCount > 1);
}

void ArrivalTree::arrive(std::uint64_t number, std::uint32_t hash) noexcept {
    sum_ += hash;
    const auto arrival = [](std::uint32_t value) { return (static_cast<std::uint64_t>(value) << countBits) | 1U; };
    std::uint64_t added = arrival(hash & hashMask);
    for (std::size_t i = 0; i < levelCount_; ++i) {
        const std::uint64_t now = levels_[i].counter->fetch_add(added, std::memory_order_acq_rel) + added;
        if (countOf(now) != number * levels_[i].childCount) return;                  // another rank is the last one
        if (hashOf(now) != expectedAt(i)) added = arrival((hash + 1) & hashMask);    // so that the sum is wrong above, too
    }
}

void ArrivalTree::accept() noexcept {
    sum_ = 0;
    for (std::size_t i = 0; i < levelCount_; ++i) bases_[i] = hashOf(levels_[i].counter->load(std::memory_order_acquire));
}

}    // namespace ferry::pmpi
