#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

TEST_CASE("Problem: derives conflicts, availability and numbering") {
    const Problem problem = test::smallProblem();
    CHECK(problem.lectureCount() == 16);
    CHECK(problem.periodCount() == 20);
    CHECK(problem.slotCount() == 40);
    CHECK(problem.courseOf(problem.firstLecture(2)) == 2);
    CHECK(problem.areInConflict(0, 1));
    CHECK(problem.areInConflict(3, 2));
    CHECK_FALSE(problem.areInConflict(0, 3));
    CHECK_FALSE(problem.areInConflict(2, 2));
    CHECK(problem.conflictingCourses(2).size() == 3);
    CHECK(problem.curriculaOf(2).size() == 2);
    CHECK_FALSE(problem.isAvailable(2, 3 * 4 + 2));
    CHECK(problem.availablePeriods(1).size() == 16);
    CHECK(problem.missingSeats(2, 0) == 8);
    CHECK(problem.missingSeats(2, 1) == 0);
    CHECK(problem.teachers().size() == 4);
}

TEST_CASE("Problem: an index or a count out of range is refused") {
    const Instance good = test::smallProblem().instance();
    const auto refuses = [&](auto damage) {
        Instance bad = good;
        damage(bad);
        CHECK_THROWS_AS(Problem{bad}, std::invalid_argument);
    };
    CHECK_NOTHROW(Problem{good});
    refuses([](Instance& bad) { bad.dayCount = 0; });
    refuses([](Instance& bad) { bad.dayCount = 2'000'000'000; });
    refuses([](Instance& bad) { bad.periodsPerDay = 61; });
    refuses([](Instance& bad) { bad.courses.clear(); });
    refuses([](Instance& bad) { bad.rooms.clear(); });
    refuses([](Instance& bad) { bad.courses[0].lectureCount = -1; });
    refuses([](Instance& bad) { bad.courses[0].lectureCount = 2'000'000'000; });
    refuses([](Instance& bad) { bad.courses[0].studentCount = -5; });
    refuses([](Instance& bad) { bad.curricula[0].courses[0] = 4; });
    refuses([](Instance& bad) { bad.curricula[0].courses[0] = -1; });
    refuses([](Instance& bad) { bad.unavailabilities[0].course = 4; });
    refuses([](Instance& bad) { bad.unavailabilities[0].day = 5; });
    refuses([](Instance& bad) { bad.unavailabilities[0].periodOfDay = -1; });
    refuses([](Instance& bad) { bad.rooms[0].seatCount = -1; });
}

TEST_CASE("Solution: slots out of range, used twice, closed or with a course twice in a period are refused") {
    Instance instance = test::plainInstance({2, 1}, 2, 3);
    instance.unavailabilities.push_back({1, 0, 2});
    const Problem problem(instance);
    CHECK_NOTHROW(checkSlots(problem, Slots{0, 2, 1}));
    CHECK_THROWS_AS(checkSlots(problem, Slots{0, 2}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, Slots{0, 2, 6}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, Slots{0, 2, -1}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, Slots{0, 2, 2}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, Slots{0, 1, 2}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, Slots{0, 2, 4}), std::invalid_argument);
}
