#include <ferry/apps/timetabling/enrolment/report/EnrolmentPresenter.hpp>

#include <fstream>
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::enrolment;

namespace {

Slots smallSlots(const Problem& problem) { return {problem.slotOf(1, 1), problem.slotOf(2, 0), problem.slotOf(9, 0), -1}; }

}    // namespace

TEST_CASE("EnrolmentPresenter: shows the score and what is wrong") {
    const Problem problem = test::smallEnrolment();
    const EnrolmentPresenter presenter(problem.instance());
    CHECK(presenter.problemLine() == "small: 4 events, 3 rooms, 4 students, rules of ITC-2007 track 2");
    const Examination result = presenter.examine(smallSlots(problem));
    CHECK_FALSE(result.isFeasible);
    CHECK(result.score ==
          "Unplaced               distance   1\n"
          "StudentClashes         violations 0\n"
          "RoomOccupancy          violations 0\n"
          "RoomSuitability        violations 0\n"
          "Availability           violations 0\n"
          "Precedence             violations 0\n"
          "LastPeriod             cost       0\n"
          "ConsecutiveEvents      cost       0\n"
          "SingleEvent            cost       3\n"
          "Total                  0 violations, distance 1, cost 3\n"
          "infeasible: 0 violations, distance to feasibility 1, cost 3\n");
    CHECK(result.findings.size() == 4);
    CHECK(result.findings[0].text == "event 3 with 1 students is left out");
}

TEST_CASE("EnrolmentPresenter: examines what a file says, and writes such files") {
    const Problem problem = test::smallEnrolment();
    const EnrolmentPresenter presenter(problem.instance());
    const std::string path = test::temporaryPath("small.sln");
    std::ofstream(path) << presenter.solutionFile(smallSlots(problem));
    CHECK(presenter.examine(path).score == presenter.examine(smallSlots(problem)).score);
}

TEST_CASE("EnrolmentPresenter: the JSON document holds the timetable and the explanation") {
    const Problem problem = test::smallEnrolment();
    const EnrolmentPresenter presenter(problem.instance());
    const nlohmann::json report = nlohmann::json::parse(presenter.jsonDocument(smallSlots(problem)));
    CHECK(report["feasible"] == false);
    CHECK(report["distance"] == 1);
    CHECK(report["cost"] == 3);
    CHECK(report["breakdown"]["SingleEvent"] == 3);
    CHECK(report["events"][2] == nlohmann::json::parse(R"({"event":2,"placed":true,"day":1,"period":0,"room":0})"));
    CHECK(report["events"][3] == nlohmann::json::parse(R"({"event":3,"placed":false})"));
    CHECK(report["explanation"][0]["text"] == "event 3 with 1 students is left out");
}
