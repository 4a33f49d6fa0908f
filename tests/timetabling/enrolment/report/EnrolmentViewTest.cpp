#include <ferry/apps/timetabling/enrolment/report/EnrolmentView.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

Solution smallTimetable() { return {{1, 1}, {2, 0}, {9, 0}, {-1, -1}}; }

/// Returns the sum of the costs in the remarks of all events.
std::int64_t costOfEvents(const TimetableView& view) {
    std::int64_t cost = 0;
    for (const WeekEntry& entry : view.entries) {
        for (const std::size_t remark : entry.remarks) cost += view.remarks[remark].isHard ? 0 : view.remarks[remark].amount;
    }
    return cost;
}

}    // namespace

TEST_CASE("EnrolmentView: a week for each room, a row for each event, and the students") {
    const Problem problem = test::smallEnrolment();
    const TimetableView view = makeView(problem, smallTimetable());
    CHECK(view.summary == "infeasible: 0 violations, distance to feasibility 1, cost 3");
    REQUIRE(view.weeks.size() == 3);
    CHECK(view.weeks[1].note == "3 seats");
    CHECK(view.weeks[1].entries == std::vector<std::size_t>{0});
    CHECK(view.weeks[2].entries.empty());
    REQUIRE(view.items.size() == 4);
    CHECK(view.items[0].name == "Event 0");
    CHECK(view.items[0].about.text == "3 students");
    CHECK(view.items[0].places[0].text == "day 0 period 1 in room 1");
    CHECK(view.items[0].places[0].week == 1);
    CHECK(view.items[3].places[0].text == "left out");
    CHECK(view.items[3].places[0].week == -1);
    REQUIRE(view.students.size() == 4);
    CHECK(view.students[0].entries == problem.instance().eventsOfStudent[0]);
}

TEST_CASE("EnrolmentView: an event that is left out is a remark about the event and its students") {
    const Problem problem = test::smallEnrolment();
    const TimetableView view = makeView(problem, smallTimetable());
    REQUIRE(view.items[3].remarks.size() == 1);
    CHECK(view.remarks[view.items[3].remarks[0]].text == "event 3 with 1 students is left out");
    for (int student = 0; student < problem.studentCount(); ++student) {
        const auto& remarks = view.students[static_cast<std::size_t>(student)].remarks;
        bool isTold = false;
        for (const std::string& remark : remarks) isTold = isTold || remark == "event 3 with 1 students is left out";
        bool isEnrolled = false;
        for (const int event : problem.instance().eventsOfStudent[static_cast<std::size_t>(student)]) isEnrolled = isEnrolled || event == 3;
        CHECK(isTold == isEnrolled);
    }
}

TEST_CASE("EnrolmentView: an event without a room is in no week, and said to have none") {
    const TimetableView view = makeView(test::smallEnrolment(), Solution{{1, -1}, {2, 0}, {9, 0}, {-1, -1}});
    CHECK(view.items[0].places[0].text == "day 0 period 1 without a room");
    CHECK(view.weeks[1].entries.empty());
    CHECK(view.remarks[view.items[0].remarks[0]].text == "event 0 has no room on day 0 period 1");
}

TEST_CASE("EnrolmentView: two events of a student at once are told to the student") {
    const Problem problem = test::smallEnrolment();
    const TimetableView view = makeView(problem, Solution(4, Place{5, 0}));
    std::int64_t told = 0;
    std::int64_t expected = 0;
    for (const Violation& violation : findHardViolations(problem, Solution(4, Place{5, 0}))) {
        if (violation.constraint == Constraint::StudentClashes) expected += violation.found;
    }
    for (const StudentView& student : view.students) {
        for (const std::string& remark : student.remarks) told += remark.find("share") != std::string::npos ? 1 : 0;
    }
    CHECK(expected > 0);
    CHECK(told == expected);
}

TEST_CASE("EnrolmentView: what events cost adds up to what the timetable costs when no student has two at once") {
    const Problem problem = test::generatedEnrolment(true, 3, 45, 2);
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        Solution solution;
        for (int period = 0; period < PeriodCount; ++period) solution.push_back({period, 0});
        std::shuffle(solution.begin(), solution.end(), random);
        const TimetableView view = makeView(problem, solution);
        CHECK(costOfEvents(view) == scoreOf(problem, solution).cost());
        std::int64_t lines = 0;
        for (const StudentView& student : view.students) lines += static_cast<std::int64_t>(student.remarks.size());
        CHECK(lines > 0);
    }
}
