#include <ferry/apps/timetabling/enrolment/search/Infeasibility.hpp>

#include <functional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

/// The proof after a change of the small instance.
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

TEST_CASE("Enrolment infeasibility: each cheap proof names what is in the way") {
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

TEST_CASE("Enrolment infeasibility: only what is in the way is named") {
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

TEST_CASE("Enrolment infeasibility: of the features of an event those are named that no room has together") {
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
