#include <ferry/framework/schedule/SlaveGroups.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

SlaveGroups::SlaveGroups(int otherRanks, int size) : size_(size) {
    if (size < leastSize) throw UsageError(fmt::format("expected groups of {} slaves or more, found {}", leastSize, size));
    const int left = otherRanks % pieceSize();
    groupedRanks_ = std::max(left > leastSize ? otherRanks : otherRanks - left, 0);
}

SlaveGroups SlaveGroups::automatic(int otherRanks) {
    if (otherRanks < automaticFrom) return {};
    const int pieces = (otherRanks + automaticSize) / (automaticSize + 1);
    return {otherRanks, (otherRanks + pieces - 1) / pieces - 1};
}

std::vector<int> SlaveGroups::slavesOf(int subMaster) const {
    std::vector<int> slaves;
    for (int rank = subMaster + 1; masterOf(rank) == subMaster; ++rank) slaves.push_back(rank);
    return slaves;
}

std::vector<int> SlaveGroups::subMasters() const {
    std::vector<int> ranks;
    for (int rank = 1; rank <= groupedRanks_; rank += pieceSize()) ranks.push_back(rank);
    return ranks;
}

}    // namespace ferry::detail
