#include <ferry/apps/timetabling/report/page/PageFolder.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>
#include <ferry/apps/timetabling/enrolment/report/EnrolmentView.hpp>
#include <ferry/tests/timetabling/support/EnrolmentInstances.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>
#include <ferry/tests/timetabling/support/contains.hpp>

using namespace timetabling;
using timetabling::test::contains;

namespace {

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
}

std::string pageIn(const std::string& folder, const std::string& name) {
    std::ifstream file(folder + "/" + name, std::ios::binary);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> namesIn(const std::string& folder) {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.insert(entry.path().filename().string());
    return names;
}

std::string writeSmall() {
    const std::string folder = test::temporaryPath("smallPages");
    const curriculum::Problem problem = test::smallProblem();
    writePages(makeView(problem, curriculum::readSolution(TextFile("timetable", test::SmallTimetableText), problem)), OutputFolder(folder));
    return folder;
}

}    // namespace

TEST_CASE("PageFolder: a page for each room, teacher, curriculum, course and day, and an index that links to all of them") {
    const std::string folder = writeSmall();
    CHECK(namesIn(folder) == std::set<std::string>{"index.html", "room-Small.html", "room-Large.html", "teacher-Ada.html",
                                                   "teacher-Ben.html", "teacher-Cat.html", "teacher-Dan.html", "curriculum-Science.html",
                                                   "curriculum-Design.html", "course-Algebra.html", "course-Botany.html",
                                                   "course-Chemistry.html", "course-Drawing.html", "day-0.html", "day-1.html", "day-2.html",
                                                   "day-3.html", "day-4.html"});
    const std::string index = pageIn(folder, "index.html");
    for (const std::string& name : namesIn(folder)) {
        if (name != "index.html") CHECK(contains(index, "<a href=\"" + name + "\">"));
        const std::string page = pageIn(folder, name);
        CHECK(page.ends_with("</html>\n"));
        CHECK(contains(page, "<html lang=\"en\">"));
        CHECK(contains(page, "default-src 'none'"));
        CHECK(count(page, "<h1>") == 1);
        CHECK(count(page, "<script") == 1);
    }
    CHECK(contains(index, "<tr><th scope=\"row\">RoomCapacity</th><td>soft: cost</td><td class=\"number\">8</td></tr>"));
    CHECK(contains(index, "<h3>Conflicts (hard): 3</h3>"));
    CHECK(contains(index,
                   "<li data-filter=\"hide\">courses Algebra and Botany share curriculum Science and both meet on day 0 period 1: "
                   "1 violation</li>"));
}

TEST_CASE("PageFolder: a page shows its week, marks what is wrong, and says why beside the grid") {
    const std::string page = pageIn(writeSmall(), "room-Large.html");
    CHECK(contains(page, "<h1>Room Large</h1>"));
    CHECK(contains(page, "<th scope=\"col\">Day 4</th>"));
    CHECK(contains(page, "<tr><th scope=\"row\">3</th>"));
    CHECK(count(page, "<div class=\"lecture") == 10);
    CHECK(
        contains(page, "<li id=\"week-1-1\" data-filter=\"dim\"><b class=\"hard\">Conflicts (hard):</b>courses Algebra and Botany share"));
    CHECK(contains(page, "<a href=\"#week-1-1\">1</a>"));
    CHECK(contains(page, "<a href=\"teacher-Ben.html\">Ben</a>"));
    CHECK_FALSE(contains(page, "<a href=\"room-Large.html\">"));
    CHECK(contains(page, "<a href=\"room-Small.html\" rel=\"prev\">Previous: Small</a>"));
    CHECK_FALSE(contains(page, "rel=\"next\""));
}

TEST_CASE("PageFolder: the index begins with a map of all places and the costs as bars, before any table of numbers") {
    const std::string index = pageIn(writeSmall(), "index.html");
    CHECK(index.find("id=\"map\"") < index.find("id=\"score\""));
    CHECK(index.find("class=\"bars\"") < index.find("id=\"score\""));
    CHECK(count(index, "data-course=") == 16);
    // Two places hold two lectures each.
    CHECK(contains(index, "14 of 40 places are used."));
    CHECK(contains(index, "<b>3 violations</b><span class=\"bar\"><span style=\"width:100%\">"));
    CHECK(contains(index, "title=\"Day 0 period 0: Algebra, Ada, Small"));
    CHECK(count(pageIn(writeSmall(), "day-2.html"), "<div class=\"lecture") == 4);
}

TEST_CASE("PageFolder: free rooms are told for each period, and closed ones are none") {
    curriculum::Instance instance = test::plainInstance({1}, 2, 2);
    instance.roomClosings = {{1, 0, 1}};
    const std::string folder = test::temporaryPath("freePages");
    writePages(makeView(curriculum::Problem(instance), curriculum::Solution{{{0, 1, 0}}}), OutputFolder(folder));
    const std::string index = pageIn(folder, "index.html");
    CHECK(contains(index, "Day 0 period 1</th>\n<td class=\"places\">none</td>"));
    CHECK(contains(index, "<a href=\"room-r1.html\">r1</a> (20 seats)"));
    CHECK(contains(index, "1 of 3 places are used."));
    CHECK(count(index, "<td class=\"shut\">") == 1);
}

TEST_CASE("PageFolder: narrow screens get a list of the lectures of each day") {
    const std::string page = pageIn(writeSmall(), "course-Algebra.html");
    CHECK(contains(page, "<div class=\"days\">\n<h2>Day 0</h2>\n<ul>\n<li data-filter=\"dim\""));
    CHECK(count(page, "<li data-filter=\"dim\" class=\"") + count(page, "<li data-filter=\"dim\"><b>0</b>") == 3);
    CHECK(contains(page, "<h1>Course Algebra</h1>"));
}

TEST_CASE("PageFolder: names of the instance become neither markup nor paths") {
    curriculum::Instance instance = test::plainInstance({1, 1}, 2, 1);
    const std::string evil = "\"><script>alert('1')</script><img src=x onerror=alert(1)>/../&";
    instance.name = evil;
    for (curriculum::Course& course : instance.courses) course.id = course.teacher = evil;
    for (curriculum::Room& room : instance.rooms) room.id = evil;
    instance.curricula.push_back({evil, {0, 1}});
    const std::string folder = test::temporaryPath("evilPages");
    writePages(makeView(curriculum::Problem(instance), curriculum::Solution{{{0, 0, 0}, {1, 0, 0}}}), OutputFolder(folder));
    const std::set<std::string> names = namesIn(folder);
    CHECK(names.size() == 1 + 2 + 1 + 1 + 2 + 1);
    for (const std::string& name : names) {
        CAPTURE(name);
        CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == std::string::npos);
        const std::string page = pageIn(folder, name);
        CHECK(count(page, "<script") == 1);
        CHECK_FALSE(contains(page, "<img"));
        CHECK_FALSE(contains(page, "alert('1')"));
        CHECK(contains(page, "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"));
    }
}

TEST_CASE("PageFolder: a term of many days is shown week by week") {
    curriculum::Instance instance = test::plainInstance({3}, 1, 2);
    instance.dayCount = 17;
    const std::string folder = test::temporaryPath("longPages");
    writePages(makeView(curriculum::Problem(instance), curriculum::Solution{{{0, 0, 0}, {0, 14, 0}, {0, 33, 0}}}), OutputFolder(folder));
    const std::string page = pageIn(folder, "room-r0.html");
    CHECK(count(page, "<table class=\"week\">") == 3);
    CHECK(contains(page, "days 14 to 16</caption>"));
    CHECK(count(page, "<div class=\"lecture") == 3);
}

TEST_CASE("PageFolder: more than a person reads is not listed, but counted") {
    curriculum::Instance instance = test::plainInstance(std::vector<int>(40, 1), 1, 1);
    instance.curricula.push_back({"all", {}});
    for (int course = 0; course < 40; ++course) instance.curricula[0].courses.push_back(course);
    curriculum::Solution solution;
    for (int course = 0; course < 40; ++course) solution.placements.push_back({course, 0, 0});
    const std::string folder = test::temporaryPath("fullPages");
    writePages(makeView(curriculum::Problem(instance), solution), OutputFolder(folder));
    const std::string index = pageIn(folder, "index.html");
    CHECK(contains(index, "<h3>Conflicts (hard): 780</h3>"));
    CHECK(contains(index, "<p>and 280 more</p>"));
    const std::string page = pageIn(folder, "room-r0.html");
    CHECK(count(page, "<li id=") == 500);
    CHECK(contains(page, " and 32 more</span>"));
}

TEST_CASE("PageFolder: the pages of a post-enrolment problem, with one for all students") {
    const std::string folder = test::temporaryPath("enrolmentPages");
    writePages(makeView(test::smallEnrolment(), enrolment::Solution{{1, 1}, {2, 0}, {9, 0}, {-1, -1}}), OutputFolder(folder));
    CHECK(namesIn(folder) == std::set<std::string>{"index.html", "students.html", "room-0.html", "room-1.html", "room-2.html", "day-0.html",
                                                   "day-1.html", "day-2.html", "day-3.html", "day-4.html"});
    const std::string index = pageIn(folder, "index.html");
    CHECK(contains(index, "<a href=\"students.html\">Weeks of students</a>"));
    CHECK(contains(index, "<li data-filter=\"hide\">event 3 with 1 students is left out</li>"));
    const std::string students = pageIn(folder, "students.html");
    CHECK(contains(students, "Number of the student, 0 to 3 "));
    CHECK(contains(students, R"("events":[[1,"Event 0",[["3 students",""],["room 1","room-1.html"]]])"));
    CHECK(contains(students, R"("days":5)"));
}

TEST_CASE("PageFolder: what has moved and what is pinned is shown") {
    curriculum::Instance instance = test::plainInstance({2, 1}, 2, 4);
    instance.published.lectures = {{0, 0, 0, "day 0 period 0 room r0"}, {0, 1, -1, "day 0 period 1 room <attic>"}};
    instance.published.pins = {{0, 0, 0}};
    const curriculum::Problem problem(instance);
    const std::string folder = test::temporaryPath("movedPages");
    writePages(makeView(problem, curriculum::Solution{{{0, 0, 0}, {0, 1, 1}, {1, 3, 0}}}), OutputFolder(folder));
    const std::string index = pageIn(folder, "index.html");
    CHECK(contains(index, "<a href=\"#moved\">What has moved</a>"));
    CHECK(contains(index, "<p>1 of 3 lectures moved, 1 of them because their place is gone or closed</p>"));
    CHECK(contains(index, "c0: day 0 period 1 room &lt;attic&gt; -&gt; day 0 period 1 room r1 (the room is no longer there)</li>"));
    CHECK(contains(pageIn(folder, "room-r0.html"), "<span class=\"kept\">pinned</span>"));
    CHECK(contains(pageIn(folder, "room-r1.html"), "<span class=\"kept\">before: day 0 period 1 room &lt;attic&gt;</span>"));
    CHECK_FALSE(contains(pageIn(writeSmall(), "index.html"), "#moved"));
}
