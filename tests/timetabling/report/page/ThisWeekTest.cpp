#include <ferry/apps/timetabling/report/page/ThisWeek.hpp>

#include <chrono>
#include <string>

#include <doctest/doctest.h>

#include <ferry/apps/timetabling/curriculum/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>
#include <ferry/apps/timetabling/report/page/OnePage.hpp>
#include <ferry/tests/timetabling/support/TestInstances.hpp>
#include <ferry/tests/timetabling/support/contains.hpp>

using namespace timetabling;
using timetabling::test::contains;

namespace thisWeekTest {

TimetableView smallView() {
    const curriculum::Problem problem = test::smallProblem();
    return makeView(problem, curriculum::readSolution(TextFile("timetable", test::SmallTimetableText), problem));
}

std::string sectionOf(const TimetableView& view) {
    const std::string page = writeOnePage(view);
    const std::size_t begin = page.find("<section id=\"thisWeek\"");
    REQUIRE(begin != std::string::npos);
    CHECK(begin < page.find("<section id=\"glance\""));    // on the first screen
    return page.substr(begin, page.find("</section>", begin) - begin);
}

}    // namespace thisWeekTest

using namespace thisWeekTest;

TEST_CASE("ThisWeek: each day has its number of lectures and leads to its page") {
    const TimetableView view = smallView();
    const std::string section = sectionOf(view);
    for (int day = 0; day < view.dayCount; ++day) {
        int count = 0;
        for (const WeekEntry& entry : view.entries) count += entry.period >= 0 && entry.period / view.periodsPerDay == day ? 1 : 0;
        const std::string number = std::to_string(day);
        CHECK(contains(section, "<li data-offset=\"" + number + "\"><a href=\"#day-" + number + "\">Day " + number + "</a>"));
        CHECK(contains(section, ">" + std::to_string(count) + " lectures</span>"));
    }
}

TEST_CASE("ThisWeek: days without names and dates are told") {
    CHECK(contains(sectionOf(smallView()), "What is on today cannot be said"));
    TimetableView named = smallView();
    named.names.days = {"Monday", "Tuesday", "Wednesday", "Thursday", "<Friday>"};
    CHECK_FALSE(contains(sectionOf(named), "cannot be said"));
    CHECK(contains(sectionOf(named), ">&lt;Friday&gt;</a>"));
}

TEST_CASE("ThisWeek: the dates of the term are there, and those of a timetable of two weeks") {
    using namespace std::chrono_literals;
    Term term;
    TimetableView view = smallView();
    setDates(view, term);
    CHECK_FALSE(view.term);
    term.firstDay = 2026y / 10 / 5;
    term.weekCount = 7;
    term.off = {{std::chrono::sys_days(2026y / 12 / 21), std::chrono::sys_days(2027y / 1 / 6)},
                {std::chrono::sys_days(2026y / 11 / 1), std::chrono::sys_days(2026y / 11 / 1)}};
    setDates(view, term);
    CHECK(contains(sectionOf(view),
                   "data-first=\"2026-10-05\" data-weeks=\"7\" data-span=\"1\" "
                   "data-off=\"2026-12-21..2027-01-06,2026-11-01..2026-11-01\""));
    CHECK_FALSE(contains(sectionOf(view), "cannot be said"));
    view.names.offsets = {0, 2, 7, 8, 9};
    setDates(view, term);
    CHECK(contains(sectionOf(view), "data-span=\"2\""));
    CHECK(contains(sectionOf(view), "<li data-offset=\"7\"><a href=\"#day-2\">"));
}
