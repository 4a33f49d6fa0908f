#include <ferry/connector/withSpares.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/connector/exception/LostRank.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/serialization/exception/UsageError.hpp>
#include <ferry/tests/simulation/Seeds.hpp>

using namespace ferry;
using namespace ferry::test;

namespace sparestest {

using namespace std::chrono_literals;

constexpr int memberCount = 3;
constexpr long summandCount = 6;

/// The state of a member, and the copy of its left neighbour's state.
struct State {
    long step = 0;
    long sum = 0;
};

/// Adds up numbers of all members, step by step. Each member keeps a copy of its left neighbour's state, from which a spare rank goes on.
/// Returns the sum, or -1 on a rank that was spare to the end.
long addUp(Connector& world, int spareCount) {
    State own, copy;
    long result = -1;
    withSpares(world, spareCount, [&](Connector& members, const PlacesTaken& taken) {
        const int left = (members.rank() + members.size() - 1) % members.size();
        const int right = (members.rank() + 1) % members.size();
        CHECK(members.size() == memberCount);
        for (const int place : taken.places) {    // the right neighbour of a place sends the state
            if (members.rank() == (place + 1) % members.size()) members.send(place, copy);
            if (members.rank() == place) own = members.receive<State>(right);
        }
        const long first = members.allReduce(own.step, Min{});
        CHECK(own.step <= first + 1);
        if (own.step > first) own = {first, first * memberCount * (memberCount + 1) / 2};    // one step back
        while (own.step < summandCount) {
            copy = members.sendReceive<State>(right, own, left);
            own.sum += members.allReduce(members.rank() + 1L, Sum{});
            ++own.step;
        }
        result = own.sum;
    });
    return result;
}

}    // namespace sparestest

using namespace sparestest;

TEST_CASE("withSpares: without a loss the program runs once, and the spare ranks wait") {
    const auto result = simulate(5, 1, [](Connector& world) {
        CHECK_THROWS_AS(withSpares(world, 5, [](Connector&, const PlacesTaken&) {}), UsageError);
        int runs = 0;
        withSpares(world, 2, [&](Connector& members, const PlacesTaken& taken) {
            ++runs;
            CHECK(taken.round == 0);
            CHECK_FALSE(taken.isNew(members.rank()));
            CHECK(members.rank() == world.rank());
            CHECK(members.allReduce(1, Sum{}) == 3);
        });
        CHECK(runs == (world.rank() < 3 ? 1 : 0));
        CHECK(world.allReduce(1, Sum{}) == 5);
    });
    REQUIRE(result.stuckText.empty());
}

TEST_CASE("withSpares: spare ranks take the places of lost members, which go on from their neighbours' copies") {
    int takenCount = 0;
    Seeds::forEach(400, [&](std::uint64_t seed) {
        SeededRandom random(seed ^ 0x59a7e5);
        SimulationOptions options;
        options.seed = seed;
        options.tellsDeathsWithin = 1ms;
        const int mortal = static_cast<int>(random.below(memberCount + 1));    // a spare rank, too
        options.faults.push_back({mortal, 1 + random.below(300), random.oneIn(4) ? Fault::Kind::Silence : Fault::Kind::Kill});
        const auto result = simulate(memberCount + 2, options, [](Connector& world) { return addUp(world, 2); });
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
        int endedCount = 0;
        bool isLost = false;
        for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
            isLost = isLost || result.ranks[rank].how == detail::RankEnd::Killed;
            if (result.ranks[rank].how == detail::RankEnd::Killed) continue;
            REQUIRE_MESSAGE(result.ranks[rank].how == detail::RankEnd::Returned, result.describe());
            if (*result.values[rank] < 0) continue;
            ++endedCount;
            REQUIRE(*result.values[rank] == summandCount * memberCount * (memberCount + 1) / 2);
        }
        REQUIRE(endedCount >= memberCount - (isLost ? 1 : 0));    // a member may be lost after the end of the program
        if (isLost && *result.values[memberCount] >= 0) ++takenCount;
    });
    MESSAGE(takenCount, " places taken");
    CHECK(takenCount > 0);
}

TEST_CASE("withSpares: a collective of the outer connector in the program is refused on every member") {
    const std::vector<std::function<void(Connector&)>> mistakes{
        [](Connector& world) { world.barrier(); },
        [](Connector& world) { static_cast<void>(world.allReduce(1, Sum{})); },
        [](Connector& world) { static_cast<void>(world.broadcast(0, 1)); },
        [](Connector& world) { static_cast<void>(world.gather(0, 1)); },
        [](Connector& world) { static_cast<void>(world.allGather(1)); },
        [](Connector& world) { static_cast<void>(world.split(0)); },
    };
    for (std::size_t mistake = 0; mistake < mistakes.size(); ++mistake) {
        CAPTURE(mistake);
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            SimulationOptions options;
            options.seed = seed;
            const auto result = simulate(5, options, [&](Connector& world) {
                withSpares(world, 2, [&](Connector&, const PlacesTaken&) { mistakes[mistake](world); });
            });
            REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
            for (std::size_t rank = 0; rank < memberCount; ++rank)
                REQUIRE_MESSAGE(result.ranks[rank].how != detail::RankEnd::Returned, result.describe());
        }
    }
}

/// Adds up the numbers of all members several times. Returns the sum, or -1 on a rank that was spare to the end.
long addUpAnew(Connector& world, int spareCount) {
    long result = -1;
    withSpares(world, spareCount, [&](Connector& members, const PlacesTaken&) {
        CHECK(members.size() == world.size() - spareCount);
        long sum = 0;
        for (long i = 0; i < summandCount; ++i) sum += members.allReduce(members.rank() + 1L, Sum{});
        result = sum;
    });
    return result;
}

TEST_CASE("withSpares: two ranks are lost one after the other, and each has its successor") {
    int bothCount = 0;
    Seeds::forEach(400, [&](std::uint64_t seed) {
        SeededRandom random(seed ^ 0x2b05);
        SimulationOptions options;
        options.seed = seed;
        options.tellsDeathsWithin = 1ms;
        const int first = static_cast<int>(random.below(memberCount + 2));
        const int second = (first + 1 + static_cast<int>(random.below(memberCount + 1))) % (memberCount + 2);
        options.faults.push_back({first, 1 + random.below(120), Fault::Kind::Kill});
        options.faults.push_back({second, 1 + random.below(400), Fault::Kind::Kill});
        const auto result = simulate(memberCount + 2, options, [](Connector& world) { return addUpAnew(world, 2); });
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
        int endedCount = 0;
        int lostCount = 0;
        for (std::size_t rank = 0; rank < result.ranks.size(); ++rank) {
            if (result.ranks[rank].how == detail::RankEnd::Killed) {
                ++lostCount;
                continue;
            }
            REQUIRE_MESSAGE(result.ranks[rank].how == detail::RankEnd::Returned, result.describe());
            if (*result.values[rank] < 0) continue;
            ++endedCount;
            REQUIRE(*result.values[rank] == summandCount * memberCount * (memberCount + 1) / 2);
        }
        REQUIRE_MESSAGE(endedCount >= memberCount - lostCount, result.describe());
        if (lostCount == 2 && endedCount == memberCount) ++bothCount;
    });
    MESSAGE(bothCount, " times both places were taken");
    if (Seeds::areMany()) CHECK(bothCount > 0);
}

TEST_CASE("withSpares: a second loss for which no spare rank is left is a LostRank on every rank") {
    int lostCount = 0;
    for (std::size_t call = 1; call <= 100; ++call) {
        SimulationOptions options;
        options.tellsDeathsWithin = 1ms;
        options.faults.push_back({1, 1, Fault::Kind::Kill});
        options.faults.push_back({2, call, Fault::Kind::Kill});
        const auto result = simulate(4, options, [](Connector& world) {
            try {
                return addUpAnew(world, 1);
            } catch (const LostRank&) {
                return -2L;
            }
        });
        REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
        for (const std::size_t rank : {0, 3}) REQUIRE_MESSAGE(result.ranks[rank].how == detail::RankEnd::Returned, result.describe());
        REQUIRE_MESSAGE((*result.values[0] == -2) == (*result.values[3] == -2), result.describe());
        REQUIRE_MESSAGE(*result.values[0] != -1, "call ", call, " ", result.describe());
        if (*result.values[0] == -2) ++lostCount;
    }
    MESSAGE(lostCount, " times no spare rank was left");
    CHECK(lostCount > 0);
}

TEST_CASE("withSpares: a loss for which no spare rank is left is a LostRank on every rank") {
    SimulationOptions options;
    options.tellsDeathsWithin = 1ms;
    options.faults.push_back({1, 1, Fault::Kind::Kill});
    const auto result = simulate(3, options, [](Connector& world) {
        const auto run = [&world] { withSpares(world, 0, [](Connector& members, const PlacesTaken&) { members.barrier(); }); };
        if (world.rank() == 1)
            run();    // the rank is killed
        else
            CHECK_THROWS_WITH_AS(run(), doctest::Contains("no spare rank is left"), LostRank);
    });
    REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
}

TEST_CASE("withSpares: all ranks but one may be spare, and no more") {
    constexpr int rankCount = 3;
    const auto result = simulate(rankCount, {}, [](Connector& world) {
        int runs = 0;
        withSpares(world, rankCount - 1, [&runs](Connector& members, const PlacesTaken&) {
            CHECK(members.size() == 1);
            ++runs;
        });
        CHECK(runs == (world.rank() == 0 ? 1 : 0));
        CHECK_THROWS_AS(withSpares(world, rankCount, [](Connector&, const PlacesTaken&) {}), UsageError);
    });
    REQUIRE_MESSAGE(result.stuckText.empty(), result.describe());
    for (const auto& rank : result.ranks) CHECK(rank.how == detail::RankEnd::Returned);
}
