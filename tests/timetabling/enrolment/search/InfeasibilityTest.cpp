#include <ferry/apps/timetabling/enrolment/search/Infeasibility.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

/// Returns the proof after a change of the small instance.
std::string proofAfter(const std::function<void(Instance&)>& change) {
    Instance instance = test::smallEnrolment().instance();
    change(instance);
    return findInfeasibility(Problem(instance)).value_or(Infeasibility{"no proof", {}}).reason;
}

std::vector<int> allBut(int from, int to) {
    std::vector<int> closed;
    for (int period = 0; period < PeriodCount; ++period) {
        if (period < from || period > to) closed.push_back(period);
    }
    return closed;
}

}    // namespace

TEST_CASE("Enrolment infeasibility: each cheap proof names the demands that contradict each other") {
    CHECK(proofAfter([](Instance&) {}) == "no proof");
    CHECK(proofAfter([](Instance& instance) { instance.roomSeats[2] = 0; }) ==
          "event 3 has 1 students and needs 1 features, but no room has the seats and the features");
    CHECK(proofAfter([](Instance& instance) { instance.second.closedPeriods[2] = allBut(1, 0); }) == "event 2 has no open period");
    CHECK(proofAfter([](Instance& instance) {
              for (int event = 0; event < 3; ++event) instance.second.closedPeriods[static_cast<std::size_t>(event)] = allBut(3, 4);
          }) == "student 2 attends 3 events but only 2 periods are open to them");
    CHECK(proofAfter([](Instance& instance) { instance.second.closedPeriods[2] = allBut(0, 0); }) ==
          "event 1 has no open period between those that have to be before and after it");
    CHECK(proofAfter([](Instance& instance) {
              instance.second.precedences.push_back({2, 1});
          }) == "event 1 has no open period between those that have to be before and after it");
    CHECK(proofAfter([](Instance& instance) {
              instance = Instance{};
              instance.roomSeats = {1};
              instance.featuresOfRoom.resize(1);
              instance.featuresOfEvent.resize(46);
          }) == "there are 46 events but only 45 places: 1 rooms x 45 periods");
}

TEST_CASE("Enrolment infeasibility: only demands that contradict each other are named") {
    const auto demandsAfter = [](const std::function<void(Instance&)>& change) {
        Instance instance = test::smallEnrolment().instance();
        change(instance);
        const auto found = findInfeasibility(Problem(instance));
        REQUIRE(found);
        CHECK(found->isMinimal);
        return found->demands;
    };
    using Lines = std::vector<std::string>;
    CHECK(demandsAfter([](Instance& instance) { instance.second.closedPeriods[2] = allBut(1, 0); }) ==
          Lines{"0 of 45 periods are open to event 2"});
    CHECK(demandsAfter([](Instance& instance) {
              for (int event = 0; event < 3; ++event) instance.second.closedPeriods[static_cast<std::size_t>(event)] = allBut(3, 4);
          }) == Lines{"student 2 attends event 0", "2 of 45 periods are open to event 0", "student 2 attends event 1",
                      "2 of 45 periods are open to event 1", "student 2 attends event 2", "2 of 45 periods are open to event 2"});
    CHECK(demandsAfter([](Instance& instance) {
              instance.second.precedences.push_back({2, 1});
          }) == Lines{"event 1 is before event 2", "event 2 is before event 1"});
}

TEST_CASE("Enrolment infeasibility: pins that leave no timetable are named with what else is in the way") {
    const auto proofWith = [](std::vector<Pin> pins, const std::function<void(Instance&)>& change) {
        Instance instance = test::smallEnrolment().instance();
        change(instance);
        instance.published.pins = std::move(pins);
        const auto found = findInfeasibility(Problem(instance));
        std::vector<std::string> lines{found ? found->reason : "no proof"};
        if (found) lines.insert(lines.end(), found->demands.begin(), found->demands.end());
        return lines;
    };
    using Lines = std::vector<std::string>;
    CHECK(proofWith({{0, 5, 1}, {1, 6, -1}, {3, 7, 2}}, [](Instance&) {}) == Lines{"no proof"});
    CHECK(proofWith({{3, 9, 2}, {0, 3, 1}, {1, 4, -1}}, [](Instance& instance) { instance.second.closedPeriods[2] = allBut(3, 4); }) ==
          Lines{"event 2 has no open period beside what is pinned", "pinned: event 1 on day 0 period 4, shares students with event 2",
                "2 of 45 periods are open to event 2"});
    CHECK(proofWith({{0, 9, 2}}, [](Instance& instance) { instance.second.closedPeriods[3] = allBut(9, 9); }) ==
          Lines{"event 3 has no open period beside what is pinned",
                "pinned: event 0 on day 1 period 0 in room 2, is where there is a room for event 3",
                "1 of 45 periods are open to event 3"});
    CHECK(proofWith({{0, 4, -1}},
                    [](Instance& instance) { instance.second.closedPeriods[1] = instance.second.closedPeriods[2] = allBut(4, 5); }) ==
          Lines{"student 2 attends 2 events but only 1 periods are open to them beside what is pinned", "student 2 attends event 1",
                "2 of 45 periods are open to event 1", "student 2 attends event 2", "2 of 45 periods are open to event 2",
                "pinned: event 0 on day 0 period 4"});
    CHECK(proofWith({{2, 2, -1}},
                    [](Instance& instance) {
                        instance.second.precedences.push_back({3, 1});
                        instance.second.closedPeriods[3] = {0};
                    }) == Lines{"event 3 has no open period between those that have to be before and after it", "event 3 is before event 1",
                                "44 of 45 periods are open to event 3", "pinned: event 2 on day 0 period 2"});
}

TEST_CASE("Enrolment infeasibility: some events of a student that have too few periods together are enough") {
    const auto found = [] {
        Instance instance = test::smallEnrolment().instance();
        instance.second.precedences.clear();
        instance.second.closedPeriods[1] = instance.second.closedPeriods[2] = allBut(3, 3);
        return findInfeasibility(Problem(instance));
    }();
    REQUIRE(found);
    CHECK(found->reason == "student 2 attends 2 events but only 1 periods are open to them");
}

TEST_CASE("Enrolment infeasibility: the features of an event that no room has together are named") {
    Instance instance;
    instance.featureCount = 3;
    instance.roomSeats = {9, 1};
    instance.featuresOfRoom = {{0, 1}, {0, 1, 2}};
    instance.featuresOfEvent = {{0, 1, 2}};
    instance.eventsOfStudent = {{0}, {0}};
    const auto found = findInfeasibility(Problem(instance));
    REQUIRE(found);
    CHECK(found->demands == std::vector<std::string>{"event 0 has 2 students", "event 0 needs feature 2"});
}
