#include <ferry/apps/timetabling/enrolment/model/movedEvents.hpp>

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/enrolment/report/EnrolmentPresenter.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

TEST_CASE("movedEvents: each moved event is listed with its old place, its new place and the reason") {
    Instance instance = test::smallEnrolment().instance();
    instance.published.places = {{0, 1}, {2, 0}, {-1, -1}, {9, 5}};
    const Problem problem(instance);
    const Slots slots{problem.slotOf(1, 1), problem.slotOf(2, 1), problem.slotOf(4, 0), problem.slotOf(9, 2)};
    instance.published.pins = {{1, 2, 1}};    // pins have no effect here
    const EnrolmentPresenter presenter(instance);
    CHECK(presenter.describeMoved(slots) ==
          "3 of 4 events moved, 2 of them because their place is gone or closed\n"
          "  event 0: day 0 period 0 room 1 -> day 0 period 1 room 1 (the period is closed)\n"
          "  event 1: day 0 period 2 room 0 -> day 0 period 2 room 1\n"
          "  event 2: an event more: day 0 period 4 room 0\n"
          "  event 3: day 1 period 0 room 5 -> day 1 period 0 room 2 (the room is no longer there)\n");
    const TimetableView view = presenter.view(slots);
    CHECK(view.movedSummary == "3 of 4 events moved, 2 of them because their place is gone or closed");
    CHECK(view.moved.size() == 4);
    CHECK(view.entries[1].notes == std::vector<std::string>{"pinned", "before: day 0 period 2 room 0"});
    CHECK(view.entries[2].notes == std::vector<std::string>{"not published before"});
    const std::string json = presenter.jsonDocument(slots);
    CHECK(json.find("\"movedCount\": 3") != std::string::npos);
    CHECK(json.find("\"event\": 3,\n      \"from\": \"day 1 period 0 room 5\"") != std::string::npos);
}

TEST_CASE("movedEvents: an event that is left out has moved, one whose room was not published has not") {
    Instance instance = test::smallEnrolment().instance();
    instance.published.places = {{1, 0}, {2, -1}, {-1, -1}, {-1, -1}};
    const Problem problem(instance);
    const std::vector<Moved> moved = movedEvents(problem, {{-1, -1}, {2, 1}, {-1, -1}, {-1, -1}});
    REQUIRE(moved.size() == 1);
    CHECK(moved[0].to == "left out");
    CHECK(moved[0].cause == "the room is too small or lacks a feature");
}

TEST_CASE("movedEvents: without a published timetable the list is empty") {
    const Problem problem = test::smallEnrolment();
    CHECK(movedEvents(problem, {{1, 1}, {2, 1}, {3, 1}, {4, 2}}).empty());
    CHECK(EnrolmentPresenter(problem.instance()).describeMoved(Slots(4, -1)).empty());
}
