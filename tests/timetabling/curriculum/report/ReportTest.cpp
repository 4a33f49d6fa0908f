#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/report/HtmlReport.hpp>
#include <ferry/apps/timetabling/curriculum/report/JsonReport.hpp>
#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>
#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>

using namespace timetabling;
using namespace timetabling::curriculum;

namespace {

Solution smallTimetable(const Problem& problem) { return readSolution(TextFile("timetable", test::SmallTimetableText), problem); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

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

TEST_CASE("HtmlReport: one page with a week for each curriculum, room and teacher, and the violations marked") {
    const Problem problem = test::smallProblem();
    const std::string page = writeHtmlReport(problem, smallTimetable(problem));
    CHECK(page.starts_with("<!DOCTYPE html>"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(contains(page, "infeasible: 5 violations, cost 30"));
    for (const char* title :
         {"Curriculum Science", "Curriculum Design", "Room Small (32 seats)", "Room Large (50 seats)", "Teacher Ada", "Teacher Dan"}) {
        CHECK(contains(page, std::string("<h3>") + title + "</h3>"));
    }
    CHECK(contains(page, "<span class=\"lecture hard\" title=\"courses Algebra and Botany share curriculum Science"));
    CHECK(contains(page, "<span class=\"lecture soft\" title=\"curriculum Design is isolated on day 4 period 3: costs 2"));
    CHECK(contains(page, "<li class=\"cost\">course Drawing uses 2 rooms: costs 1</li>"));
    CHECK_FALSE(contains(page, "http"));
    CHECK_FALSE(contains(page, "src="));
}

TEST_CASE("HtmlReport: names of the input cannot become markup") {
    Instance instance = test::plainInstance({1, 1}, 1, 1);
    const std::string evil = "<script>alert(\"1\")</script>'&";
    instance.name = evil;
    for (Course& course : instance.courses) course.id = course.teacher = evil;
    instance.rooms[0].id = evil;
    instance.curricula.push_back({evil, {0, 1}});
    const std::string page = writeHtmlReport(Problem(instance), Solution{{{0, 0, 0}, {1, 0, 0}}});
    CHECK_FALSE(contains(page, "<script"));
    CHECK_FALSE(contains(page, "alert(\""));
    CHECK(contains(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;"));
}
