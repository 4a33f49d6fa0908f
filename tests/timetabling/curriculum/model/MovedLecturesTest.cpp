#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/report/CurriculumPresenter.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

/// Two courses with 2 and 1 lectures, two rooms, four periods.
Instance publishedInstance() {
    Instance instance = test::plainInstance({2, 1}, 2, 4);
    instance.unavailabilities.push_back({1, 0, 2});
    instance.published.lectures = {{0, 0, 0, "day 0 period 0 room r0"},
                                   {0, 1, -1, "day 0 period 1 room attic"},
                                   {0, -1, 0, "day 4 period 0 room r0"},
                                   {1, 2, 1, "day 0 period 2 room r1"}};
    return instance;
}

}    // namespace

TEST_CASE("movedLectures: each moved lecture is listed with its old place, its new place and the reason") {
    const Problem problem(publishedInstance());
    const Slots slots{problem.slotOf(0, 0), problem.slotOf(1, 1), problem.slotOf(3, 0)};
    CHECK(CurriculumPresenter(publishedInstance()).describeMoved(slots) ==
          "2 of 3 lectures moved, 2 of them because their place is gone or closed\n"
          "  c0: day 0 period 1 room attic -> day 0 period 1 room r1 (the room is no longer there)\n"
          "  c0: a lecture less: day 4 period 0 room r0\n"
          "  c1: day 0 period 2 room r1 -> day 0 period 3 room r0 (the period is closed)\n"
          "touched: 2 courses, 2 teachers, 20 students of these courses\n");
    const std::vector<Moved> moved = movedLectures(problem, toSolution(problem, slots));
    CHECK(moved[0].period == 1);
    CHECK(moved[0].room == 1);
    CHECK(moved[1].period == -1);
    const std::string json = CurriculumPresenter(publishedInstance()).jsonDocument(slots);
    CHECK(json.find("\"movedCount\": 2") != std::string::npos);
    CHECK(json.find("\"cause\": \"the period is closed\"") != std::string::npos);
}

TEST_CASE("movedLectures: a course that has more lectures than before moves none of them") {
    Instance instance = publishedInstance();
    instance.published.lectures.resize(1);
    instance.unavailabilities.clear();
    const Problem problem(instance);
    const Slots slots{problem.slotOf(0, 0), problem.slotOf(1, 1), problem.slotOf(3, 0)};
    CHECK(CurriculumPresenter(instance).describeMoved(slots) ==
          "0 of 3 lectures moved\n  c0: a lecture more: day 0 period 1 room r1\n  c1: a lecture more: day 0 period 3 room r0\n");
    CHECK(problem.published()->additionalLectures() == 2);
}

TEST_CASE("movedLectures: without a published timetable the list is empty") {
    const Problem problem = test::smallProblem();
    CHECK(movedLectures(problem, {}).empty());
}
