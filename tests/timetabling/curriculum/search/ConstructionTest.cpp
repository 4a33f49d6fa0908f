#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>

#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

TEST_CASE("Construction: random slots hold every constraint but the conflicts, also when no place is left") {
    const Problem full(test::plainInstance({4, 4, 3, 2, 2, 1}, 4, 4));
    for (std::uint64_t seed = 0; seed < 200; ++seed) CHECK_NOTHROW(checkSlots(full, randomSlots(full, seed)));
    CHECK_THROWS_AS(randomSlots(Problem(test::plainInstance({4, 1}, 1, 4)), 1), std::invalid_argument);
}

TEST_CASE("Construction: a timetable without conflicts is found for the small and for the real instances") {
    const Problem small = test::smallProblem();
    const Individual individual = constructIndividual(small, 1, Budget::ofMoves(10'000'000), {});
    CHECK(individual.isFeasible());
    CHECK(scoreOf(small, toSolution(small, individual.slots)).isFeasible());
    for (const std::string& file : test::realInstanceFiles()) {
        if (file.find("comp0") == std::string::npos) continue;
        CAPTURE(file);
        CHECK(constructIndividual(Problem(readInstance(file)), 1, Budget::ofMoves(40'000'000), {}).isFeasible());
    }
}

TEST_CASE("Construction: when there is no feasible timetable the best attempt comes back") {
    Instance instance = test::plainInstance({2, 2}, 2, 3);
    instance.curricula.push_back({"q0", {0, 1}});
    const Individual individual = constructIndividual(Problem(instance), 1, Budget::ofMoves(10'000), {});
    CHECK(individual.conflicts == 1);
}
