#include <ferry/apps/timetabling/curriculum/search/Infeasibility.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/io/InstanceReader.hpp>
#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

std::string proofOf(const Instance& instance) { return findInfeasibility(Problem(instance)).value_or(Infeasibility{"none", {}}).reason; }

/// An infeasible instance, and the expected explanation.
struct Crafted {
    Instance instance;
    std::string reason;
    std::vector<std::string> demands;
};

Instance with(Instance instance, const std::vector<std::vector<int>>& curricula) {
    for (const std::vector<int>& courses : curricula)
        instance.curricula.push_back({fmt::format("q{}", instance.curricula.size()), courses});
    return instance;
}

Instance closed(Instance instance, int course, const std::vector<int>& periods) {
    for (const int period : periods) instance.unavailabilities.push_back({course, 0, period});
    return instance;
}

Instance unsuitable(Instance instance, const std::vector<RoomConstraint>& pairs) {
    instance.formulation = Formulation::UD4;
    instance.roomConstraints = pairs;
    return instance;
}

Instance taughtBy(Instance instance, const std::string& teacher, const std::vector<int>& courses) {
    for (const int course : courses) instance.courses[static_cast<std::size_t>(course)].teacher = teacher;
    return instance;
}

std::vector<Crafted> craftedInstances() {
    using test::plainInstance;
    const std::vector<std::vector<int>> ring{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}};
    return {
        {closed(plainInstance({2, 3}, 2, 3), 1, {1}),
         "course c1 has 3 lectures but only 2 periods are open to it",
         {"course c1 has 3 lectures", "2 of 3 periods are open to course c1"}},
        {plainInstance({2, 2, 1}, 2, 2),
         "there are 5 lectures but only 4 places: 2 rooms x 2 periods",
         {"course c0 has 2 lectures", "course c1 has 2 lectures", "course c2 has 1 lecture", "there are 2 rooms"}},
        {taughtBy(plainInstance({2, 2, 1}, 3, 3), "Rossi", {0, 1}),
         "teacher Rossi has 4 lectures in courses c0, c1 but only 3 periods are open to them",
         {"course c0 has 2 lectures", "course c1 has 2 lectures", "teacher Rossi teaches courses c0, c1"}},
        {closed(closed(with(plainInstance({2, 1, 2}, 3, 6), {{0, 1, 2}}), 0, {2, 3, 4, 5}), 1, {2, 3, 4, 5}),
         "curriculum q0 has 3 lectures in courses c0, c1 but only 2 periods are open to them",
         {"course c0 has 2 lectures", "course c1 has 1 lecture", "curriculum q0 has courses c0, c1", "2 of 6 periods are open to course c0",
          "2 of 6 periods are open to course c1"}},
        {with(plainInstance({1, 1, 1, 1}, 4, 2), {{0, 1}, {1, 2}, {0, 2}, {2, 3}}),
         "courses c0, c1, c2 exclude each other and have 3 lectures but only 2 periods are open to them",
         {"course c0 has 1 lecture", "course c1 has 1 lecture", "course c2 has 1 lecture", "curriculum q0 has courses c0, c1",
          "curriculum q1 has courses c1, c2", "curriculum q2 has courses c0, c2"}},
        {closed(closed(plainInstance({1, 1, 3}, 1, 6), 0, {1, 2, 3, 4, 5}), 1, {1, 2, 3, 4, 5}),
         "courses c0, c1 have 2 lectures but the periods that are open to them have places for only 1 in 1 rooms",
         {"course c0 has 1 lecture", "course c1 has 1 lecture", "1 of 6 periods are open to course c0",
          "1 of 6 periods are open to course c1", "there is 1 room"}},
        {unsuitable(plainInstance({1, 1}, 2, 2), {{1, 0}, {1, 1}}),
         "no room suits course c1",
         {"course c1 has 1 lecture", "no room suits course c1", "there are 2 rooms"}},
        {unsuitable(plainInstance({2, 1, 1}, 2, 2), {{0, 1}, {1, 1}}),
         "courses c0, c1 have 3 lectures but the periods that are open to them have places for only 2 in the rooms that suit them (r0)",
         {"course c0 has 2 lectures", "course c1 has 1 lecture", "course c0 needs a room of r0", "course c1 needs a room of r0",
          "there are 2 rooms"}},
        {with(plainInstance({1, 1, 1, 1, 1, 1}, 6, 2), ring),
         "there is no way to give courses c0, c1, c2, c3, c4 periods without a clash",
         {"course c0 has 1 lecture", "course c1 has 1 lecture", "course c2 has 1 lecture", "course c3 has 1 lecture",
          "course c4 has 1 lecture", "curriculum q0 has courses c0, c1", "curriculum q1 has courses c1, c2",
          "curriculum q2 has courses c2, c3", "curriculum q3 has courses c3, c4", "curriculum q4 has courses c0, c4"}},
        {with(plainInstance({1, 1, 1, 1}, 2, 2), {{0, 1}, {0, 2}, {0, 3}}),
         "there is no way to give courses c0, c1, c2, c3 periods without a clash",
         {"course c0 has 1 lecture", "course c1 has 1 lecture", "course c2 has 1 lecture", "course c3 has 1 lecture",
          "curriculum q0 has courses c0, c1", "curriculum q1 has courses c0, c2", "curriculum q2 has courses c0, c3", "there are 2 rooms"}},
        {closed(taughtBy(with(plainInstance({2, 1, 1}, 3, 3), {{0, 2}, {1, 2}}), "Rossi", {0, 1}), 2, {2}),
         "courses c0, c1, c2 exclude each other and have 4 lectures but only 3 periods are open to them",
         {"course c0 has 2 lectures", "course c1 has 1 lecture", "course c2 has 1 lecture", "curriculum q0 has courses c0, c2",
          "curriculum q1 has courses c1, c2", "teacher Rossi teaches courses c0, c1"}},
    };
}

/// Whether the search finds a timetable.
bool isSolved(const Problem& problem) { return constructIndividual(problem, 1, Budget::ofMoves(2'000'000), {}).isFeasible(); }

}    // namespace

TEST_CASE("Infeasibility: the demands that contradict each other are named, and nothing else") {
    for (const Crafted& crafted : craftedInstances()) {
        CAPTURE(crafted.reason);
        const auto found = findInfeasibility(Problem(crafted.instance));
        REQUIRE(found);
        CHECK(found->reason == crafted.reason);
        CHECK(found->demands == crafted.demands);
        CHECK(found->isMinimal);
    }
}

TEST_CASE("Infeasibility: without any one of the demands there is a timetable") {
    for (const Crafted& crafted : craftedInstances()) {
        CAPTURE(crafted.reason);
        const Problem problem(crafted.instance);
        std::vector<int> courses(crafted.instance.courses.size());
        std::iota(courses.begin(), courses.end(), 0);
        const std::vector<Demand> demands = findContradiction(problem, courses).items;
        for (const Demand& dropped : demands) {
            std::vector<Demand> rest = demands;
            std::erase(rest, dropped);
            if (std::none_of(rest.begin(), rest.end(), [](const Demand& demand) { return demand.kind == Demand::Kind::Lectures; }))
                continue;
            CAPTURE(describe(problem, dropped, demands));
            CHECK(isSolved(problemWith(problem, rest)));
        }
    }
}

TEST_CASE("Infeasibility: a proof is sought around what still clashes, in an instance that is too large to be searched whole") {
    // A ring of five courses in two periods, among a hundred courses without conflicts.
    Instance instance = with(test::plainInstance(std::vector<int>(105, 1), 60, 2), {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}});
    const Problem problem(instance);
    CHECK_FALSE(findInfeasibility(problem));
    const Individual best = constructIndividual(problem, 1, Budget::ofMoves(200'000), {});
    REQUIRE_FALSE(best.isFeasible());
    const auto found = findInfeasibility(problem, best.slots);
    REQUIRE(found);
    CHECK(found->reason == "there is no way to give courses c0, c1, c2, c3, c4 periods without a clash");
    CHECK(found->demands.size() == 10);
}

TEST_CASE("Infeasibility: a clash that can be avoided proves nothing") {
    const Problem problem(with(test::plainInstance({1, 1}, 2, 2), {{0, 1}}));
    CHECK_FALSE(findInfeasibility(problem, Slots{0, 1}));
}

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
    CHECK(proofOf(instance) == "teacher Rossi has 4 lectures in courses c0, c1 but only 3 periods are open to them");
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

TEST_CASE("Infeasibility: the remaining clashes are told in words") {
    Instance instance = test::plainInstance({1, 1}, 2, 1);
    instance.curricula.push_back({"q0", {0, 1}});
    const Problem problem(instance);
    CHECK(describeConflicts(problem, Slots{0, 1}) == "courses c0 and c1 share curriculum q0 and both meet on day 0 period 0: 1 violation");
}

TEST_CASE("Infeasibility: pins that leave no timetable are named, and no others") {
    Instance instance = taughtBy(closed(test::plainInstance({2, 1, 1}, 2, 3), 1, {2}), "Ada", {0, 1});
    instance.published.pins = {{0, 0, -1}, {0, 1, 1}, {2, 2, -1}};
    const auto found = findInfeasibility(Problem(instance));
    REQUIRE(found);
    CHECK(found->reason == "teacher Ada has 3 lectures in courses c1, c0 (pinned), c0 (pinned) but only 2 periods are open to them");
    CHECK(found->demands == std::vector<std::string>{"pinned: course c0 on day 0 period 1 in room r1",
                                                     "pinned: course c0 on day 0 period 0", "course c1 has 1 lecture",
                                                     "2 of 3 periods are open to course c1", "teacher Ada teaches courses c0, c1"});
    CHECK(found->isMinimal);
    SUBCASE("without one of them there is a timetable") {
        instance.published.pins.erase(instance.published.pins.begin());
        CHECK_FALSE(findInfeasibility(Problem(instance)));
        CHECK(constructIndividual(Problem(instance), 1, Budget::ofMoves(100'000), {}).isFeasible());
    }
    SUBCASE("pins are of no account where there is no timetable without them") {
        instance.courses[1].lectureCount = 3;
        const auto crowded = findInfeasibility(Problem(instance));
        REQUIRE(crowded);
        CHECK(crowded->reason == "course c1 has 3 lectures but only 2 periods are open to it");
    }
}
