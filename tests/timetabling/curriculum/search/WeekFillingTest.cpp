#include <ferry/apps/timetabling/curriculum/search/WeekFilling.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/search/Construction.hpp>
#include <ferry/apps/timetabling/curriculum/search/PeriodSearch.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

namespace timetabling::curriculum {

namespace {

using Outcome = WeekFilling::Outcome;

constexpr int blockCount = 10;
constexpr int lecturesOfBlock = 3;

/// Returns an instance whose curricula have 30 lectures in 30 periods. It has a timetable: the periods are cut into ten blocks, each course
/// fills a block, and a curriculum has a course for each block.
Instance fullWeeks(int rows, int curricula, std::uint64_t seed) {
    Random random(seed);
    Instance instance = test::plainInstance(std::vector<int>(static_cast<std::size_t>(rows * blockCount), lecturesOfBlock), rows + 2, 30);
    for (int number = 0; number < curricula; ++number) {
        Curriculum curriculum{"q" + std::to_string(number), {}};
        for (int block = 0; block < blockCount; ++block) curriculum.courses.push_back(random.below(rows) * blockCount + block);
        instance.curricula.push_back(curriculum);
    }
    return instance;
}

/// Returns a small instance in which conflicts, closed periods and few rooms leave a timetable or not.
Instance smallRandom(Random& random) {
    std::vector<int> lectures;
    for (int course = 0; course < 6; ++course) lectures.push_back(1 + random.below(3));
    Instance instance = test::plainInstance(lectures, 2 + random.below(3), 6);
    for (int number = 0; number < 4; ++number) {
        Curriculum curriculum{"q" + std::to_string(number), {}};
        for (int course = 0; course < 6; ++course) {
            if (random.below(2) == 0) curriculum.courses.push_back(course);
        }
        if (!curriculum.courses.empty()) instance.curricula.push_back(curriculum);
    }
    for (int course = 0; course < 6; ++course) instance.unavailabilities.push_back({course, 0, random.below(6)});
    return instance;
}

void checkSolution(const Problem& problem, const std::vector<std::vector<int>>& coursesIn) {
    std::vector<int> counts(static_cast<std::size_t>(problem.courseCount()), 0);
    for (int period = 0; period < problem.periodCount(); ++period) {
        const std::vector<int>& courses = coursesIn[static_cast<std::size_t>(period)];
        REQUIRE(static_cast<int>(courses.size()) <= problem.openRooms(period));
        for (const int course : courses) {
            ++counts[static_cast<std::size_t>(course)];
            REQUIRE(problem.isAvailable(course, period));
            for (const int other : courses) REQUIRE_FALSE(problem.areInConflict(course, other));
        }
        REQUIRE(std::adjacent_find(courses.begin(), courses.end()) == courses.end());
    }
    for (int course = 0; course < problem.courseCount(); ++course)
        REQUIRE(counts[static_cast<std::size_t>(course)] == problem.course(course).lectureCount);
}

}    // namespace

TEST_CASE("WeekFilling: full weeks of curricula that share courses") {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Problem problem(fullWeeks(6, 10, seed));
        WeekFilling filling(problem, seed);
        CHECK(filling.hasGroups());
        REQUIRE(filling.run(Budget::ofMoves(500'000'000), {}) == Outcome::Found);
        checkSolution(problem, filling.coursesIn());
        CHECK(constructIndividual(problem, seed, Budget::ofMoves(500'000'000), {}).isFeasible());
    }
}

TEST_CASE("WeekFilling: finds a solution of small instances, or proves that there is none, as the other complete search does") {
    Random random(7);
    int found = 0;
    int impossible = 0;
    for (int number = 0; number < 400; ++number) {
        const Problem problem(smallRandom(random));
        const PeriodSearch::Outcome expected = PeriodSearch(problem).run(1'000'000);
        WeekFilling filling(problem, static_cast<std::uint64_t>(number));
        const Outcome outcome = filling.run(Budget::ofMoves(10'000'000), {});
        REQUIRE(outcome != Outcome::GaveUp);
        REQUIRE((outcome == Outcome::Found) == (expected == PeriodSearch::Outcome::Found));
        if (outcome == Outcome::Found) checkSolution(problem, filling.coursesIn());
        ++(outcome == Outcome::Found ? found : impossible);
    }
    CHECK(found > 40);
    CHECK(impossible > 40);
}

TEST_CASE("WeekFilling: pinned lectures stay, the budget and the stop hook end the search") {
    Instance instance = fullWeeks(6, 10, 1);
    instance.published.pins = {{0, 5, -1}, {0, 7, -1}, {blockCount, 5, -1}};
    const Problem problem(instance);
    WeekFilling filling(problem, 1);
    REQUIRE(filling.run(Budget::ofMoves(500'000'000), {}) == Outcome::Found);
    const auto coursesIn = filling.coursesIn();
    checkSolution(problem, coursesIn);
    for (const Pin& pin : instance.published.pins) {
        const std::vector<int>& there = coursesIn[static_cast<std::size_t>(pin.period)];
        CHECK(std::find(there.begin(), there.end(), pin.course) != there.end());
    }
    const Problem hard(fullWeeks(8, 60, 5));
    int asked = 0;
    CHECK(WeekFilling(hard, 1).run(Budget::ofMoves(2'000'000'000'000), [&] { return ++asked >= 3; }) != Outcome::Impossible);
    CHECK(asked <= 3);
}

}    // namespace timetabling::curriculum
