#include <ferry/apps/timetabling/curriculum/search/Infeasibility.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

std::string proofOf(const Instance& instance) { return findInfeasibility(Problem(instance)).value_or("none"); }

}    // namespace

TEST_CASE("Infeasibility: no false alarm on instances that have a timetable") {
    CHECK_FALSE(findInfeasibility(test::smallProblem()));
    CHECK(proofOf(test::plainInstance({3, 3}, 2, 3)) == "none");
    for (const std::string& file : test::realInstanceFiles()) {
        CAPTURE(file);
        CHECK(proofOf(readInstance(file)) == "none");
    }
}

TEST_CASE("Infeasibility: a course with more lectures than open periods is named") {
    Instance instance = test::plainInstance({1, 3}, 2, 3);
    CHECK(proofOf(instance) == "none");
    instance.unavailabilities.push_back({1, 0, 0});
    CHECK(proofOf(instance) == "course c1 has 3 lectures but only 2 periods are open to it");
    instance.unavailabilities.push_back({1, 0, 0});
    CHECK(proofOf(instance) == "course c1 has 3 lectures but only 2 periods are open to it");
}

TEST_CASE("Infeasibility: more lectures than rooms x periods are counted") {
    CHECK(proofOf(test::plainInstance({3, 3, 1}, 2, 3)) == "there are 7 lectures but only 6 places: 2 rooms x 3 periods");
}

TEST_CASE("Infeasibility: a teacher with more lectures than open periods is named") {
    Instance instance = test::plainInstance({2, 2, 1}, 3, 4);
    instance.courses[0].teacher = "Rossi";
    instance.courses[1].teacher = "Rossi";
    CHECK(proofOf(instance) == "none");
    instance.unavailabilities.push_back({0, 0, 3});
    instance.unavailabilities.push_back({1, 0, 3});
    CHECK(proofOf(instance) == "teacher Rossi has 4 lectures in all its courses but only 3 periods are open to them");
}

TEST_CASE("Infeasibility: the crowded part of a curriculum is named even when the whole of it has room") {
    Instance instance = test::plainInstance({2, 1, 2}, 3, 6);
    instance.curricula.push_back({"Science", {0, 1, 2}});
    for (int period = 2; period < 6; ++period) {
        instance.unavailabilities.push_back({0, 0, period});
        instance.unavailabilities.push_back({1, 0, period});
    }
    CHECK(proofOf(instance) == "curriculum Science has 3 lectures in courses c0, c1 but only 2 periods are open to them");
}

TEST_CASE("Infeasibility: courses that crowd the rooms in the periods open to them are named") {
    Instance instance = test::plainInstance({2, 2, 1, 2}, 2, 4);
    for (int course = 0; course < 3; ++course) {
        for (int period = 2; period < 4; ++period) instance.unavailabilities.push_back({course, 0, period});
    }
    CHECK(proofOf(instance) ==
          "courses c0, c1, c2 have 5 lectures but the periods that are open to them have places for only 4 in 2 rooms");
}

TEST_CASE("Infeasibility: what still clashes is told in words") {
    Instance instance = test::plainInstance({1, 1}, 2, 1);
    instance.curricula.push_back({"q0", {0, 1}});
    const Problem problem(instance);
    CHECK(describeConflicts(problem, Slots{0, 1}) == "courses c0 and c1 share curriculum q0 and both meet on day 0 period 0: 1 violation");
}
