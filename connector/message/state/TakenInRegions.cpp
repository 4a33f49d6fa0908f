#include <ferry/connector/message/state/TakenInRegions.hpp>

#include <algorithm>

#include <ferry/connector/message/state/Regions.hpp>
#include <ferry/connector/message/state/insist.hpp>

namespace ferry::detail {

void TakenInRegions::note(int from, std::span<const std::int32_t> regionsAround) {
    const bool isInAny = std::any_of(regionsAround.begin(), regionsAround.end(), [](std::int32_t region) { return region != 0; });
    if (isInAny) add(from, regionsAround, 1);
}

void TakenInRegions::add(int from, std::span<const std::int32_t> regions, std::uint64_t letters) {
    // The last entries are those of the present regions.
    const auto found = std::find_if(counts_.rbegin(), counts_.rend(), [&](const Count& count) {
        return count.from == from && std::equal(count.regions.begin(), count.regions.end(), regions.begin(), regions.end());
    });
    if (found != counts_.rend()) {
        found->letters += letters;
    } else {
        insist([&] { counts_.push_back({from, {regions.begin(), regions.end()}, letters}); });
    }
}

void TakenInRegions::takeBack(const std::function<bool(std::span<const std::int32_t>)>& areOver,
                              const std::function<void(int, std::uint64_t)>& uncount) {
    std::erase_if(counts_, [&](const Count& count) {
        if (!areOver(count.regions)) return false;
        uncount(count.from, count.letters);
        return true;
    });
}

void TakenInRegions::moveOut(std::size_t level, std::int32_t first, std::int32_t last, std::int32_t regionAround) {
    std::vector<Count> moved;
    insist([&] { moved.reserve(counts_.size()); });
    std::erase_if(counts_, [&](Count& count) {
        std::int32_t& region = count.regions[level];
        if (region == 0 || comesBefore(region, first) || comesBefore(last, region)) return false;
        region = regionAround;
        moved.push_back(std::move(count));
        return true;
    });
    for (const Count& count : moved) {
        const bool isInAny = std::any_of(count.regions.begin(), count.regions.end(), [](std::int32_t region) { return region != 0; });
        if (isInAny) add(count.from, count.regions, count.letters);
    }
}

}    // namespace ferry::detail
