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

void ArrivalTree::arrive(std::uint64_t number) noexcept {
    for (std::size_t i = 0; i < levelCount_; ++i) {
        const std::uint64_t arrivedCount = levels_[i].counter->fetch_add(1, std::memory_order_acq_rel) + 1;
        if (arrivedCount != number * levels_[i].childCount) return;    // another rank is the last one
    }
}

}    // namespace ferry::pmpi
