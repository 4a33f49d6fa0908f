#include <ferry/apps/timetabling/report/page/PageFolder.hpp>

#include <string>

#include <ferry/apps/timetabling/io/FileNames.hpp>
#include <ferry/apps/timetabling/report/page/Pages.hpp>
#include <ferry/apps/timetabling/report/page/StudentPage.hpp>

namespace timetabling {

void writePages(const TimetableView& view, const OutputFolder& folder) {
    FileNames names;
    WeekAddresses addresses;
    for (const WeekView& week : view.weeks) addresses.weeks.push_back(names.take(nameOf(week.kind), week.name, ".html"));
    for (int day = 0; day < view.dayCount; ++day) addresses.days.push_back(names.take("day", view.names.dayCell(day), ".html"));
    const Pages pages(view, addresses);
    for (std::size_t i = 0; i < view.weeks.size(); ++i) folder.write(addresses.weeks[i], pages.week(i));
    for (std::size_t day = 0; day < addresses.days.size(); ++day) folder.write(addresses.days[day], pages.day(day));
    if (!view.students.empty()) folder.write("students.html", writeStudentPage(view, addresses));
    folder.write("index.html", pages.index());
}

}    // namespace timetabling
