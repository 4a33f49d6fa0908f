#include <ferry/apps/timetabling/curriculum/search/Crossover.hpp>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/Generator.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

TEST_CASE("Crossover: children of random parents are fit for a search, whatever the share") {
    const Problem problem(generateInstance({}));
    Random random(1);
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const Slots first = randomSlots(problem, 2 * seed);
        const Slots second = randomSlots(problem, 2 * seed + 1);
        const Slots child = exchangePeriods(problem, first, second, random.fraction(), random);
        CHECK_NOTHROW(checkSlots(problem, child));
    }
}

TEST_CASE("Crossover: a child has its parents' periods, and few conflicts when they have none") {
    const Problem problem(generateInstance({}));
    const Individual first = constructIndividual(problem, 1, Budget::ofMoves(20'000'000), {});
    const Individual second = constructIndividual(problem, 2, Budget::ofMoves(20'000'000), {});
    Random random(1);
    const Slots child = exchangePeriods(problem, first.slots, second.slots, 0.3, random);
    const int distance = distanceBetween(problem, first.slots, second.slots);
    CHECK(distanceBetween(problem, child, first.slots) < distance);
    CHECK(distanceBetween(problem, child, second.slots) < distance);
    const Score randomScore = scoreOf(problem, toSolution(problem, randomSlots(problem, 1)));
    CHECK(scoreOf(problem, toSolution(problem, child)).violations() * 10 < randomScore.violations());
    CHECK(exchangePeriods(problem, first.slots, first.slots, 0.5, random).size() == first.slots.size());
    CHECK(distanceBetween(problem, exchangePeriods(problem, first.slots, second.slots, 0.0, random), first.slots) == 0);
    CHECK(distanceBetween(problem, exchangePeriods(problem, first.slots, second.slots, 1.0, random), second.slots) == 0);
}

TEST_CASE("Crossover: in a timetable without a free place the child is still complete") {
    const Problem problem(test::plainInstance({4, 4, 3, 2, 2, 1}, 4, 4));
    Random random(3);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const Slots child = exchangePeriods(problem, randomSlots(problem, seed), randomSlots(problem, seed + 1000), 0.5, random);
        CHECK_NOTHROW(checkSlots(problem, child));
    }
}

TEST_CASE("Crossover: the distance counts lectures in other periods, not rooms and not the order of a course's lectures") {
    const Problem problem(test::plainInstance({2, 1}, 2, 3));
    CHECK(distanceBetween(problem, Slots{0, 2, 4}, Slots{0, 2, 4}) == 0);
    CHECK(distanceBetween(problem, Slots{0, 2, 4}, Slots{3, 1, 5}) == 0);
    CHECK(distanceBetween(problem, Slots{0, 2, 4}, Slots{0, 5, 2}) == 2);
}
