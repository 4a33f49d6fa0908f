#include <ferry/apps/timetabling/report/page/Pages.hpp>

#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/apps/timetabling/report/page/Glance.hpp>
#include <ferry/apps/timetabling/report/page/Overview.hpp>
#include <ferry/apps/timetabling/report/page/WeekSection.hpp>

namespace timetabling {

std::string Pages::index(const std::string& more) const {
    PageText page(fmt::format("Timetable {}", view_.name), PageText::Shape::Upright, isServed());
    const bool hasStudents = !view_.students.empty() && !isServed();
    Overview(view_, addresses_).addTo(page, hasStudents ? "<a href=\"students.html\">Weeks of students</a>" : "", more);
    return page.finish();
}

/// Adds the heading of a page, and begins its links.
void Pages::addHead(PageText& page, const std::string& title) const {
    page.add("<header>\n<p class=\"note\">Timetable {}: {}</p>\n<h1>{}</h1>\n</header>\n<nav aria-label=\"Other pages\">",
             escapeHtml(view_.name), escapeHtml(view_.summary), escapeHtml(title));
    page.add("<a href=\"{}\">Overview</a>", indexAddress());
}

void Pages::addNeighbour(PageText& page, const std::string& address, const char* rel, const char* title, const std::string& name) const {
    page.add("<a href=\"{}\" rel=\"{}\">{}: {}</a>", address, rel, title, escapeHtml(name));
}

std::string Pages::week(std::size_t index) const {
    const WeekView& week = view_.weeks[index];
    const std::string title = fmt::format("{} {}", titleOf(week.kind), week.name);
    PageText page(fmt::format("{} - Timetable {}", title, view_.name), PageText::Shape::Week, isServed());
    addHead(page, title);
    const auto link = [&](std::size_t there, const char* rel, const char* text) {
        if (there < view_.weeks.size() && view_.weeks[there].kind == week.kind)
            addNeighbour(page, addresses_.weeks[there], rel, text, view_.weeks[there].name);
    };
    link(index - 1, "prev", "Previous");    // for the first week, index - 1 wraps around: no link
    link(index + 1, "next", "Next");
    page.add("</nav>\n");
    page.addFilter("Highlight what contains");
    page.add("<main class=\"weekSection\">\n");
    constexpr int headingLevel = 2;
    WeekSection(view_, addresses_, static_cast<int>(index), headingLevel).addTo(page);
    page.add("</main>\n");
    return page.finish();
}

std::string Pages::day(std::size_t day) const {
    const std::string title = view_.names.dayTitle(static_cast<int>(day));
    PageText page(fmt::format("{} - Timetable {}", title, view_.name), PageText::Shape::Week, isServed());
    addHead(page, title);
    if (day > 0) addNeighbour(page, addresses_.days[day - 1], "prev", "Previous", view_.names.dayTitle(static_cast<int>(day) - 1));
    if (day + 1 < addresses_.days.size())
        addNeighbour(page, addresses_.days[day + 1], "next", "Next", view_.names.dayTitle(static_cast<int>(day) + 1));
    page.add("</nav>\n");
    page.addFilter("Highlight what contains");
    page.add("<main class=\"weekSection\">\n");
    Glance(view_, addresses_).addDay(page, static_cast<int>(day), 2);
    page.add("</main>\n");
    return page.finish();
}

}    // namespace timetabling
