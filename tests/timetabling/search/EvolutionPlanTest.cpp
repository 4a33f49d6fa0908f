#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>

#include <stdexcept>

#include <doctest/doctest.h>

using namespace timetabling;

namespace {

EvolutionOptions byNumber(std::int64_t iterations, int populationSize) {
    EvolutionOptions options;
    options.iterations = iterations;
    options.populationSize = populationSize;
    return options;
}

EvolutionOptions byTime(double seconds, int populationSize) {
    EvolutionOptions options;
    options.seconds = seconds;
    options.populationSize = populationSize;
    return options;
}

}    // namespace

TEST_CASE("EvolutionPlan: by number it gives out exactly so many tasks, builds first, none limited by time") {
    EvolutionPlan plan(byNumber(10, 4), 3);
    CHECK_FALSE(plan.isTimed());
    for (int i = 0; i < 10; ++i) {
        const auto task = plan.next(1e9);
        REQUIRE(task);
        CHECK((task->kind == PlannedTask::Kind::Build) == (i < 4));
        CHECK(task->annealing.moves > 0);
        CHECK(task->annealing.seconds == 0);
        CHECK(task->construction.seconds == 0);
    }
    CHECK_FALSE(plan.next(0));
    CHECK_FALSE(plan.isOver(1e9));
}

TEST_CASE("EvolutionPlan: by time every slave starts in a hurry, then comes the long work, then children until the end") {
    EvolutionPlan plan(byTime(100, 4), 2);
    CHECK(plan.tasksAtOnce() == 2);
    for (int i = 0; i < 2; ++i) CHECK(plan.next(0)->annealing.seconds <= 1);
    for (int i = 0; i < 4; ++i) {
        const auto task = plan.next(2 + 10 * i);
        CHECK(task->kind == PlannedTask::Kind::Build);
        CHECK(task->annealing.seconds > 10);
    }
    CHECK(plan.next(60)->kind == PlannedTask::Kind::Improve);
    CHECK(plan.next(85)->annealing.seconds == doctest::Approx(14.9));
    CHECK_FALSE(plan.next(99.9));
    CHECK_FALSE(plan.isOver(100));
    CHECK(plan.isOver(101));
}

TEST_CASE("EvolutionPlan: the work of one slave fits into the time, however short it is") {
    for (const double seconds : {0.1, 0.5, 3.0, 30.0, 1000.0}) {
        for (const int populationSize : {1, 4, 50}) {
            EvolutionPlan plan(byTime(seconds, populationSize), 1);
            double elapsed = 0;
            int tasks = 0;
            while (const auto task = plan.next(elapsed)) {
                CHECK(task->annealing.moves == 0);
                CHECK(task->annealing.seconds > 0);
                elapsed += task->annealing.seconds;
                REQUIRE(++tasks < 1000);
            }
            CHECK(tasks >= 1);
            CHECK(elapsed <= seconds);
        }
    }
}

TEST_CASE("EvolutionPlan: options without sense are refused") {
    CHECK_THROWS_AS(EvolutionPlan(byTime(10, 4), 0), std::invalid_argument);
    CHECK_THROWS_AS(EvolutionPlan(byTime(0, 4), 1), std::invalid_argument);
    CHECK_THROWS_AS(EvolutionPlan(byTime(10, 0), 1), std::invalid_argument);
}
