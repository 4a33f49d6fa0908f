#include <ferry/connector/message/state/TakenInRegions.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <doctest/doctest.h>

using ferry::detail::TakenInRegions;

namespace {

/// The letters of two ranks that no longer count when regions from `first` on have failed. level: the place of these regions.
std::array<std::uint64_t, 2> takenBackFrom(TakenInRegions& taken, std::int32_t first, std::size_t level = 0) {
    std::array<std::uint64_t, 2> counts{};
    taken.takeBack([&](std::span<const std::int32_t> regions) { return regions[level] >= first; },
                   [&](int from, std::uint64_t letters) { counts[static_cast<std::size_t>(from)] += letters; });
    return counts;
}

using TakenBack = std::array<std::uint64_t, 2>;
constexpr std::array<std::int32_t, 1> noRegion{0}, third{3}, fourth{4}, fifth{5};

}    // namespace

TEST_CASE("TakenInRegions: the letters of failed regions are taken back, each once") {
    TakenInRegions taken;
    for (int i = 0; i < 3; ++i) taken.note(0, third);
    taken.note(1, third);
    taken.note(1, fourth);
    taken.note(0, noRegion);
    CHECK(taken.size() == 3);
    CHECK(takenBackFrom(taken, 4) == TakenBack{0, 1});
    CHECK(takenBackFrom(taken, 3) == TakenBack{3, 1});
    CHECK(takenBackFrom(taken, 0) == TakenBack{0, 0});
}

TEST_CASE("TakenInRegions: letters of a region that has ended belong to the region around it") {
    TakenInRegions taken;
    taken.note(0, third);
    taken.note(0, fourth);
    taken.note(1, fifth);    // the sender is ahead, in a region that this rank has not entered
    taken.moveOut(0, 4, 4, 3);
    CHECK(taken.size() == 2);
    CHECK(takenBackFrom(taken, 3) == TakenBack{2, 1});
}

TEST_CASE("TakenInRegions: what is in no region any more is not remembered, however many regions there were") {
    TakenInRegions taken;
    for (std::int32_t region = 1; region <= 1000; ++region) {
        taken.note(region % 2, std::array{region});
        taken.moveOut(0, region, region, 0);
        CHECK(taken.size() == 0);
    }
    taken.note(0, std::array<std::int32_t, 2>{1, 7});    // in a region of the mailbox around, and of the one around that
    taken.moveOut(0, 1, 1, 0);
    CHECK(taken.size() == 1);
    CHECK(takenBackFrom(taken, 7, 1) == TakenBack{1, 0});
}
