#include <ferry/apps/timetabling/report/page/OnePage.hpp>

#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>
#include <ferry/tests/timetabling/support/contains.hpp>

using namespace timetabling;
using timetabling::test::contains;

TEST_CASE("OnePage: the overview and a week for each curriculum, room and teacher, and the violations marked") {
    const curriculum::Problem problem = test::smallProblem();
    const std::string page =
        writeOnePage(makeView(problem, curriculum::readSolution(TextFile("timetable", test::SmallTimetableText), problem)));
    CHECK(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    CHECK(page.ends_with("</html>\n"));
    CHECK(contains(page, "infeasible: 5 violations, cost 30"));
    for (const char* title : {"Curriculum Science", "Curriculum Design", "Room Small", "Room Large", "Teacher Ada", "Teacher Dan"})
        CHECK(contains(page, std::string("<h2>") + title + "</h2>"));
    CHECK(contains(page, "<a href=\"#week-1\">Large</a>"));
    CHECK(contains(page, "<section class=\"weekSection\" id=\"week-1\">\n<h2>Room Large</h2>"));
    CHECK(contains(page, "<div class=\"lecture hard\" data-filter=\"dim\" title=\"courses Algebra and Botany share curriculum Science"));
    CHECK(
        contains(page, "<div class=\"lecture soft\" data-filter=\"dim\" title=\"curriculum Design is isolated on day 4 period 3: costs 2"));
    CHECK(contains(page, "<li data-filter=\"hide\">course Drawing uses 2 rooms: costs 1</li>"));
    CHECK_FALSE(contains(page, "http:"));
    CHECK_FALSE(contains(page, "https:"));
    CHECK_FALSE(contains(page, "src="));
}
