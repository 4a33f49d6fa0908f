#include <ferry/apps/timetabling/report/page/PageFolder.hpp>

#include <string>

#include <ferry/apps/timetabling/io/FileNames.hpp>
#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/apps/timetabling/report/page/Overview.hpp>
#include <ferry/apps/timetabling/report/page/StudentPage.hpp>
#include <ferry/apps/timetabling/report/page/WeekSection.hpp>

namespace timetabling {

namespace {

/// Adds a link to the neighbour of the same kind, if there is one.
void addNeighbour(PageText& page, const TimetableView& view, const WeekAddresses& addresses, std::size_t here, std::size_t there,
                  const char* title) {
    if (there >= view.weeks.size() || view.weeks[there].kind != view.weeks[here].kind) return;
    page.add("<a href=\"{}\" rel=\"{}\">{}: {}</a>", addresses[there], there > here ? "next" : "prev", title,
             escapeHtml(view.weeks[there].name));
}

std::string writeWeekPage(const TimetableView& view, const WeekAddresses& addresses, std::size_t index) {
    const WeekView& week = view.weeks[index];
    PageText page(fmt::format("{} {} - Timetable {}", titleOf(week.kind), week.name, view.name), PageText::Shape::Week);
    page.add("<header>\n<p class=\"note\">Timetable {}: {}</p>\n<h1>{} {}</h1>\n</header>\n<nav aria-label=\"Other pages\">",
             escapeHtml(view.name), escapeHtml(view.summary), titleOf(week.kind), escapeHtml(week.name));
    page.add("<a href=\"index.html\">Overview</a>");
    addNeighbour(page, view, addresses, index, index - 1, "Previous");    // for the first week, index - 1 wraps around: no link
    addNeighbour(page, view, addresses, index, index + 1, "Next");
    page.add("</nav>\n");
    page.addFilter("Highlight what contains");
    page.add("<main class=\"weekSection\">\n");
    constexpr int HeadingLevel = 2;
    WeekSection(view, addresses, static_cast<int>(index), HeadingLevel).addTo(page);
    page.add("</main>\n");
    return page.finish();
}

std::string writeIndex(const TimetableView& view, const WeekAddresses& addresses) {
    PageText page(fmt::format("Timetable {}", view.name));
    Overview(view, addresses).addTo(page, view.students.empty() ? "" : "<a href=\"students.html\">Weeks of students</a>");
    return page.finish();
}

}    // namespace

void writePages(const TimetableView& view, const OutputFolder& folder) {
    FileNames names;
    WeekAddresses addresses;
    for (const WeekView& week : view.weeks) addresses.push_back(names.take(nameOf(week.kind), week.name, ".html"));
    for (std::size_t i = 0; i < view.weeks.size(); ++i) folder.write(addresses[i], writeWeekPage(view, addresses, i));
    if (!view.students.empty()) folder.write("students.html", writeStudentPage(view, addresses));
    folder.write("index.html", writeIndex(view, addresses));
}

}    // namespace timetabling
