#include <ferry/apps/timetabling/search/Population.hpp>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/search/CurriculumSearch.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

TEST_CASE("Population: keeps different individuals and lets the worst go") {
    const CurriculumSearch problem(test::plainInstance({1, 1}, 1, 4));
    Population population(problem, 2);
    CHECK(population.isEmpty());
    CHECK(population.add({Slots{0, 1}, 0, 10}));
    CHECK(population.add({Slots{2, 3}, 0, 20}));
    CHECK(population.isFull());
    CHECK_FALSE(population.add({Slots{1, 3}, 0, 20}));
    CHECK(population.add({Slots{1, 3}, 0, 15}));
    CHECK(population.individuals().size() == 2);
    CHECK(population.best().cost == 10);
    CHECK_FALSE(population.add({Slots{3, 0}, 1, 0}));
}

TEST_CASE("Population: an individual replaces the one that it resembles, or is not taken in") {
    const CurriculumSearch problem(test::plainInstance({1, 1}, 1, 4));
    Population population(problem, 3);
    CHECK(population.add({Slots{0, 1}, 0, 10}));
    CHECK_FALSE(population.add({Slots{0, 1}, 0, 10}));
    CHECK(population.add({Slots{0, 1}, 0, 9}));
    CHECK(population.individuals().size() == 1);
    CHECK(population.best().cost == 9);
}

TEST_CASE("Population: selection prefers the better one, and finds a partner that is another one") {
    const CurriculumSearch problem(test::plainInstance({1, 1}, 1, 4));
    Population population(problem, 2);
    population.add({Slots{0, 1}, 0, 10});
    Random random(1);
    CHECK(&population.selectOther(population.best(), random) == &population.best());
    population.add({Slots{2, 3}, 0, 20});
    int better = 0;
    for (int i = 0; i < 1000; ++i) better += population.select(random).cost == 10 ? 1 : 0;
    CHECK(better > 650);
    CHECK(better < 850);
    for (int i = 0; i < 100; ++i) CHECK(population.selectOther(population.best(), random).cost == 20);
}
