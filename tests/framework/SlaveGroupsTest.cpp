#include <ferry/framework/schedule/SlaveGroups.hpp>

#include <vector>

#include <doctest/doctest.h>

#include <ferry/serialization/exception/UsageError.hpp>

using namespace ferry;

TEST_CASE("SlaveGroups: without groups every slave is the master's") {
    const detail::SlaveGroups none;
    CHECK(none.isEmpty());
    CHECK(none.subMasters().empty());
    for (int rank = 0; rank < 5; ++rank) {
        CHECK_FALSE(none.isSubMaster(rank));
        CHECK(none.masterOf(rank) == 0);
    }
}

TEST_CASE("SlaveGroups: pieces of a sub-master and its slaves, in the order of ranks") {
    const detail::SlaveGroups groups(7, 3);
    CHECK(groups.subMasters() == std::vector{1, 5});
    CHECK(groups.slavesOf(1) == std::vector{2, 3, 4});
    CHECK(groups.slavesOf(5) == std::vector{6, 7});
    CHECK(groups.masterOf(4) == 1);
    CHECK(groups.masterOf(6) == 5);
    CHECK(groups.masterOf(5) == 0);
    CHECK(groups.isSubMaster(5));
    CHECK_FALSE(groups.isInGroup(5));
    CHECK(groups.isInGroup(7));
    CHECK(groups.masterOf(8) == 0);    // rank 8 has joined later
    CHECK_FALSE(groups.isSubMaster(9));
    CHECK(groups.masterOf(0) == 0);
}

TEST_CASE("SlaveGroups: ranks that are too few for a group of two are slaves of the master") {
    CHECK(detail::SlaveGroups(6, 3).subMasters() == std::vector{1});
    CHECK(detail::SlaveGroups(6, 3).masterOf(5) == 0);
    CHECK(detail::SlaveGroups(6, 3).masterOf(6) == 0);
    CHECK(detail::SlaveGroups(2, 64).isEmpty());
    CHECK(detail::SlaveGroups(3, 64).slavesOf(1) == std::vector{2, 3});
    CHECK(detail::SlaveGroups(0, 2).isEmpty());
}

TEST_CASE("SlaveGroups: every rank but the master is a sub-master, in one group, or the master's own") {
    for (int others = 0; others < 40; ++others) {
        for (int size = 2; size < 8; ++size) {
            const detail::SlaveGroups groups(others, size);
            std::vector<int> seen(static_cast<std::size_t>(others) + 1, 0);
            for (const int subMaster : groups.subMasters()) {
                const std::vector<int> slaves = groups.slavesOf(subMaster);
                CHECK(slaves.size() >= 2);
                CHECK(slaves.size() <= static_cast<std::size_t>(size));
                ++seen.at(static_cast<std::size_t>(subMaster));
                for (const int slave : slaves) ++seen.at(static_cast<std::size_t>(slave));
            }
            for (int rank = 1; rank <= others; ++rank) {
                const bool isOwn = !groups.isSubMaster(rank) && groups.masterOf(rank) == 0;
                CHECK(seen[static_cast<std::size_t>(rank)] == (isOwn ? 0 : 1));
            }
        }
    }
}

TEST_CASE("SlaveGroups: groups of one are refused") {
    CHECK_THROWS_WITH_AS(detail::SlaveGroups(10, 1), "expected groups of 2 slaves or more, found 1", UsageError);
}

TEST_CASE("SlaveGroups: a job finds its groups by the number of its ranks") {
    using detail::SlaveGroups;
    CHECK(SlaveGroups::automatic(0).isEmpty());
    CHECK(SlaveGroups::automatic(SlaveGroups::automaticFrom - 1).isEmpty());
    CHECK(SlaveGroups::automatic(1024).subMasters() == std::vector{1, 257, 513, 769});
    for (const int others : {1024, 1025, 1279, 1281, 5000, 9999, 100'000}) {
        const SlaveGroups groups = SlaveGroups::automatic(others);
        std::size_t grouped = groups.subMasters().size();
        CHECK(grouped <= static_cast<std::size_t>(others) / 200);
        for (const int subMaster : groups.subMasters()) {
            const std::size_t slaves = groups.slavesOf(subMaster).size();
            CHECK(slaves <= static_cast<std::size_t>(SlaveGroups::automaticSize));
            grouped += slaves;
        }
        CHECK(static_cast<std::size_t>(others) - grouped <= 2);    // the last ranks are slaves of the master
    }
}
