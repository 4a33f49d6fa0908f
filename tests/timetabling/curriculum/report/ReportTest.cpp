#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/report/JsonReport.hpp>
#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>
#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

Solution smallTimetable(const Problem& problem) { return readSolution(TextFile("timetable", test::SmallTimetableText), problem); }

}    // namespace

TEST_CASE("TextReport: shows every part of the score and the sums") {
    const Problem problem = test::smallProblem();
    const Score score = scoreOf(problem, smallTimetable(problem));
    CHECK(describeScore(problem, score) ==
          "Lectures               violations 0\n"
          "Conflicts              violations 3\n"
          "Availability           violations 0\n"
          "RoomOccupancy          violations 2\n"
          "RoomCapacity           cost       8\n"
          "MinWorkingDays         cost       15\n"
          "CurriculumCompactness  cost       4\n"
          "RoomStability          cost       3\n"
          "Total                  5 violations, cost 30\n");
    CHECK(summarize(score) == "infeasible: 5 violations, cost 30");
    CHECK(summarize(Score{}) == "feasible, cost 0");
}

TEST_CASE("JsonReport: holds the score, the lectures and the explanation") {
    const Problem problem = test::smallProblem();
    const nlohmann::json report = nlohmann::json::parse(writeJsonReport(problem, smallTimetable(problem)));
    CHECK(report["instance"] == "Small");
    CHECK(report["feasible"] == false);
    CHECK(report["violations"] == 5);
    CHECK(report["cost"] == 30);
    CHECK(report["breakdown"]["RoomCapacity"] == 8);
    CHECK(report["lectures"].size() == 16);
    CHECK(report["lectures"][7] == nlohmann::json::parse(R"({"course":"Chemistry","teacher":"Cat","room":"Small","day":1,"period":0})"));
    CHECK(report["explanation"].size() == 13);
    CHECK(report["explanation"][0]["text"] ==
          "courses Algebra and Botany share curriculum Science and both meet on day 0 period 1: 1 violation");
}

TEST_CASE("JsonReport: names that are no UTF-8 do not stop it") {
    Instance instance = test::plainInstance({1}, 1, 1);
    instance.courses[0].id = "\xFF\xFE";
    const Problem problem(instance);
    CHECK(nlohmann::json::accept(writeJsonReport(problem, Solution{{{0, 0, 0}}})));
}

TEST_CASE("Html: everything that HTML gives a meaning is escaped") {
    CHECK(escapeHtml("a<b>&\"'c") == "a&lt;b&gt;&amp;&quot;&#39;c");
    CHECK(escapeHtml(std::string("\0\n", 2)) == "&#xFFFD;&#xFFFD;");
    CHECK(escapeHtml("Fran\xC3\xA7ois") == "Fran\xC3\xA7ois");
}
