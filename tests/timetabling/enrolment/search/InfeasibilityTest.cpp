#include <ferry/apps/timetabling/enrolment/search/Infeasibility.hpp>

#include <functional>
#include <string>

#include <doctest/doctest.h>

#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

/// The proof after a change of the small instance.
std::string proofAfter(const std::function<void(Instance&)>& change) {
    Instance instance = test::smallEnrolment().instance();
    change(instance);
    return findInfeasibility(Problem(instance)).value_or("no proof");
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
