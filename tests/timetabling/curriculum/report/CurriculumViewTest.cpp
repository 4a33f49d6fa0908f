#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

TimetableView smallView() {
    const Problem problem = test::smallProblem();
    return makeView(problem, readSolution(TextFile("timetable", test::SmallTimetableText), problem));
}

const WeekView& weekOf(const TimetableView& view, WeekKind kind, const std::string& name) {
    const auto found =
        std::find_if(view.weeks.begin(), view.weeks.end(), [&](const WeekView& week) { return week.kind == kind && week.name == name; });
    REQUIRE(found != view.weeks.end());
    return *found;
}

std::vector<std::string> textsOf(const TimetableView& view, const std::vector<std::size_t>& remarks) {
    std::vector<std::string> texts;
    for (const std::size_t remark : remarks) texts.push_back(view.remarks[remark].text);
    return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
}

}    // namespace

TEST_CASE("CurriculumView: a week for each room, teacher, curriculum and course, with all its lectures") {
    const TimetableView view = smallView();
    CHECK(view.name == "Small");
    CHECK(view.summary == "infeasible: 5 violations, cost 30");
    CHECK(view.weeks.size() == 2 + 4 + 2 + 4);
    CHECK(view.entries.size() == 16);
    CHECK(weekOf(view, WeekKind::Room, "Small").entries.size() + weekOf(view, WeekKind::Room, "Large").entries.size() == 16);
    CHECK(weekOf(view, WeekKind::Room, "Large").note == "50 seats");
    CHECK(weekOf(view, WeekKind::Teacher, "Ada").entries.size() == 3);
    CHECK(weekOf(view, WeekKind::Teacher, "Ada").note == "1 course");
    CHECK(weekOf(view, WeekKind::Curriculum, "Science").entries.size() == 11);
    const WeekEntry& entry = view.entries[weekOf(view, WeekKind::Teacher, "Ada").entries.front()];
    CHECK(entry.name == "Algebra");
    CHECK(view.weeks[static_cast<std::size_t>(entry.week)].name == "Algebra");
    CHECK(view.weeks[static_cast<std::size_t>(entry.room)].name == "Small");
    CHECK(weekOf(view, WeekKind::Course, "Algebra").entries == weekOf(view, WeekKind::Teacher, "Ada").entries);
    CHECK(weekOf(view, WeekKind::Course, "Algebra").note == "30 students");
    CHECK(view.items[0].week == entry.week);
    CHECK(view.weeks[static_cast<std::size_t>(entry.details[0].week)].name == "Ada");
    CHECK(view.weeks[static_cast<std::size_t>(entry.details[1].week)].name == "Small");
}

TEST_CASE("CurriculumView: courses have their places in the order of time, whatever the order of the file") {
    const Problem problem = test::smallProblem();
    const TimetableView view = makeView(problem, Solution{{{0, 7, 1}, {0, 2, 0}, {1, 0, 0}}});
    REQUIRE(view.items.size() == 4);
    REQUIRE(view.items[0].places.size() == 2);
    CHECK(view.items[0].places[0].text == "day 0 period 2 in Small");
    CHECK(view.items[0].places[1].text == "day 1 period 3 in Large");
    CHECK(view.items[0].about.text == "Ada");
    CHECK(view.items[2].places.empty());
}

TEST_CASE("CurriculumView: what is wrong shows where it belongs, once, and adds up to the score") {
    const TimetableView view = smallView();
    std::int64_t violations = 0;
    std::int64_t cost = 0;
    std::vector<std::size_t> all;
    for (const WeekView& week : view.weeks) {
        CHECK(std::is_sorted(week.remarks.begin(), week.remarks.end()));
        CHECK(std::adjacent_find(week.remarks.begin(), week.remarks.end()) == week.remarks.end());
        all.insert(all.end(), week.remarks.begin(), week.remarks.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const std::size_t remark : all) (view.remarks[remark].isHard ? violations : cost) += view.remarks[remark].amount;
    CHECK(violations == 5);
    CHECK(cost == 30);

    const std::string isolated = "curriculum Design is isolated on day 4 period 3: costs 2";
    CHECK(has(textsOf(view, weekOf(view, WeekKind::Curriculum, "Design").remarks), isolated));
    CHECK(has(textsOf(view, weekOf(view, WeekKind::Teacher, "Dan").remarks), isolated));
    CHECK_FALSE(has(textsOf(view, weekOf(view, WeekKind::Teacher, "Ada").remarks), isolated));
    CHECK(has(textsOf(view, view.items[3].remarks), "course Drawing uses 2 rooms: costs 1"));
}

TEST_CASE("CurriculumView: a course without lectures in the timetable is missed in the weeks of its teacher and its curricula") {
    const Problem problem = test::smallProblem();
    const TimetableView view = makeView(problem, Solution{});
    const std::string missing = "course Drawing has 0 lectures in the timetable, should have 5: 5 violations";
    CHECK(has(textsOf(view, weekOf(view, WeekKind::Teacher, "Dan").remarks), missing));
    CHECK(has(textsOf(view, weekOf(view, WeekKind::Curriculum, "Design").remarks), missing));
    CHECK_FALSE(has(textsOf(view, weekOf(view, WeekKind::Curriculum, "Science").remarks), missing));
    CHECK(has(textsOf(view, view.items[3].remarks), missing));
}

TEST_CASE("CurriculumView: the week of a curriculum leaves out what is wrong about others with a lecture in it") {
    const Problem problem = test::smallProblem();
    const TimetableView view = makeView(problem, Solution{{{2, 0, 0}, {0, 1, 0}}});    // Chemistry, then Algebra: both belong to Science
    const std::string isolated = "curriculum Design is isolated on day 0 period 0: costs 2";
    CHECK(has(textsOf(view, weekOf(view, WeekKind::Curriculum, "Design").remarks), isolated));
    CHECK(has(textsOf(view, weekOf(view, WeekKind::Room, "Small").remarks), isolated));
    CHECK_FALSE(has(textsOf(view, weekOf(view, WeekKind::Curriculum, "Science").remarks), isolated));
}

TEST_CASE("CurriculumView: what is pinned and what has moved is noted at the lectures, and listed") {
    Instance instance = test::plainInstance({2, 1}, 2, 4);
    instance.published.lectures = {{0, 0, 0, "day 0 period 0 room r0"}, {0, 1, -1, "day 0 period 1 room attic"}};
    instance.published.pins = {{0, 0, 0}, {1, 3, -1}};
    const Problem problem(instance);
    const TimetableView view = makeView(problem, Solution{{{0, 0, 0}, {0, 1, 1}, {1, 3, 0}}});
    REQUIRE(view.entries.size() == 3);
    CHECK(view.entries[0].notes == std::vector<std::string>{"pinned"});
    CHECK(view.entries[1].notes == std::vector<std::string>{"before: day 0 period 1 room attic"});
    CHECK(view.entries[2].notes == std::vector<std::string>{"pinned in time", "not published before"});
    CHECK(view.movedSummary == "1 of 3 lectures moved, 1 of them because their place is gone or closed");
    CHECK(view.moved == std::vector<std::string>{"c0: day 0 period 1 room attic -> day 0 period 1 room r1 (the room is no longer there)",
                                                 "c1: a lecture more: day 0 period 3 room r0"});
    CHECK(smallView().movedSummary.empty());
}
