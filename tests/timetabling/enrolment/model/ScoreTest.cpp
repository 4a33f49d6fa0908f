#include <ferry/apps/timetabling/enrolment/model/Score.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

/// Returns the descriptions of all violations of one constraint.
std::vector<std::string> textsOf(const Problem& problem, const Solution& solution, Constraint constraint) {
    std::vector<std::string> texts;
    for (const Violation& violation : findViolations(problem, solution)) {
        if (violation.constraint == constraint) texts.push_back(describe(problem, violation));
    }
    return texts;
}

using Texts = std::vector<std::string>;

}    // namespace

TEST_CASE("Enrolment score: a day costs one for its last period, k - 2 for k events in a row, one for a single event") {
    CHECK(costOfDay(0) == 0);
    CHECK(costOfDay(0b000000001) == 1);
    CHECK(costOfDay(0b100000000) == 2);
    CHECK(costOfDay(0b000000011) == 0);
    CHECK(costOfDay(0b000000111) == 1);
    CHECK(costOfDay(0b000011110) == 2);
    CHECK(costOfDay(0b001110111) == 2);
    CHECK(costOfDay(0b111111111) == 8);
}

TEST_CASE("Enrolment score: a timetable without violations costs what its students' days cost") {
    const Problem problem = test::smallEnrolment();
    // Student 0 has two events on day 0. Student 1 has a single event on each of two days.
    // Student 2 has two events on day 0 and a single one on day 1. Student 3 has a single event, in the last period of day 1.
    const Solution solution{{1, 1}, {2, 0}, {9, 0}, {17, 2}};
    const Score score = scoreOf(problem, solution);
    CHECK(score.violations() == 0);
    CHECK(score.distance() == 0);
    CHECK(score.isFeasible());
    CHECK(score[Constraint::SingleEvent] == 4);
    CHECK(score[Constraint::LastPeriod] == 1);
    CHECK(score[Constraint::ConsecutiveEvents] == 0);
    CHECK(score.cost() == 5);
    CHECK(textsOf(problem, solution, Constraint::LastPeriod) == Texts{"student 3 has an event in the last period of day 1: costs 1"});
    CHECK(textsOf(problem, solution, Constraint::SingleEvent)[0] == "student 1 has a single event on day 0: costs 1");
    CHECK(textsOf(problem, {{1, 1}, {2, 0}, {3, 0}, {17, 2}}, Constraint::ConsecutiveEvents) ==
          Texts{"student 2 has 3 events in a row from day 0 period 1: costs 1"});
}

TEST_CASE("Enrolment score: each hard constraint is counted and explained") {
    const Problem problem = test::smallEnrolment();
    const auto only = [&](const Solution& solution, Constraint constraint, std::int64_t amount, const std::string& text) {
        const Score score = scoreOf(problem, solution);
        CAPTURE(text);
        CHECK(score.violations() == amount);
        CHECK(score[constraint] == amount);
        CHECK(textsOf(problem, solution, constraint) == Texts{text});
        CHECK_FALSE(score.isFeasible());
    };
    only({{1, 1}, {2, 0}, {9, 0}, {10, 0}}, Constraint::RoomSuitability, 1,
         "event 3 is in room 0 on day 1 period 1, which is too small or lacks a feature");
    only({{1, 1}, {2, -1}, {9, 0}, {4, 2}}, Constraint::RoomSuitability, 1, "event 1 has no room on day 0 period 2");
    only({{1, 1}, {1, 0}, {9, 0}, {4, 2}}, Constraint::StudentClashes, 1, "events 0 and 1 share 2 students and are both on day 0 period 1");
    only({{1, 1}, {2, 2}, {9, 0}, {2, 2}}, Constraint::RoomOccupancy, 1, "events 1 and 3 are both in room 2 on day 0 period 2");
    only({{0, 1}, {2, 0}, {9, 0}, {4, 2}}, Constraint::Availability, 1, "event 0 is on day 0 period 0, which is closed to it");
    only({{1, 1}, {10, 0}, {9, 0}, {4, 2}}, Constraint::Precedence, 1, "event 1 is not before event 2");
}

TEST_CASE("Enrolment score: an event that is left out counts its students in the second competition, and one in the first") {
    const Solution solution{{-1, -1}, {2, 0}, {9, 0}, {4, 2}};
    const Problem second = test::smallEnrolment();
    CHECK(scoreOf(second, solution).distance() == 3);
    CHECK(scoreOf(second, solution).violations() == 0);
    CHECK_FALSE(scoreOf(second, solution).isFeasible());
    CHECK(textsOf(second, solution, Constraint::Unplaced) == Texts{"event 0 with 3 students is left out"});
    CHECK(scoreOf(test::smallFirstEnrolment(), solution).distance() == 1);
}

TEST_CASE("Enrolment score: the first competition counts each student of a clash and knows neither closed periods nor precedences") {
    const Score score = scoreOf(test::smallFirstEnrolment(), {{0, 1}, {0, 0}, {0, 2}, {4, 2}});
    CHECK(score[Constraint::StudentClashes] == 2 + 2 + 1);
    CHECK(score[Constraint::Availability] == 0);
    CHECK(score[Constraint::Precedence] == 0);
    CHECK(scoreOf(test::smallEnrolment(), {{0, 1}, {0, 0}, {0, 2}, {4, 2}})[Constraint::StudentClashes] == 3);
}

TEST_CASE("Enrolment slots: only timetables that break no rule are accepted, events may be left out") {
    const Problem problem = test::smallEnrolment();
    const auto slot = [&](int period, int room) { return problem.slotOf(period, room); };
    CHECK_NOTHROW(checkSlots(problem, {slot(1, 1), slot(2, 0), slot(9, 0), -1}));
    CHECK(toSolution(problem, {slot(1, 1), slot(2, 0), slot(9, 0), -1}) == Solution{{1, 1}, {2, 0}, {9, 0}, {-1, -1}});
    CHECK_THROWS_AS(checkSlots(problem, {slot(1, 1), slot(1, 0), slot(9, 0), -1}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, {slot(1, 1), slot(2, 0), slot(9, 0)}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, {slot(1, 1), slot(2, 0), problem.slotCount(), -1}), std::invalid_argument);
    CHECK_THROWS_AS(checkSlots(problem, {slot(1, 1), slot(2, 0), -2, -1}), std::invalid_argument);
}
