#include <ferry/apps/timetabling/report/page/OnePage.hpp>

#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/apps/timetabling/report/page/Glance.hpp>
#include <ferry/apps/timetabling/report/page/Overview.hpp>
#include <ferry/apps/timetabling/report/page/WeekSection.hpp>

namespace timetabling {

std::string writeOnePage(const TimetableView& view) {
    WeekAddresses addresses;
    for (std::size_t week = 0; week < view.weeks.size(); ++week) addresses.weeks.push_back(fmt::format("#week-{}", week));
    for (int day = 0; day < view.dayCount; ++day) addresses.days.push_back(fmt::format("#day-{}", day));
    PageText page(fmt::format("Timetable {}", view.name));
    Overview(view, addresses).addTo(page, "", "");
    for (std::size_t i = 0; i < view.weeks.size(); ++i) {
        const WeekView& week = view.weeks[i];
        page.add("<section class=\"weekSection\" id=\"week-{}\">\n<h2>{} {}</h2>\n", i, titleOf(week.kind), escapeHtml(week.name));
        constexpr int HeadingLevel = 3;
        WeekSection(view, addresses, static_cast<int>(i), HeadingLevel).addTo(page);
        page.add("</section>\n");
    }
    for (int day = 0; day < view.dayCount; ++day) {
        page.add("<section class=\"weekSection\" id=\"day-{}\">\n<h2>{}</h2>\n", day, escapeHtml(view.names.dayTitle(day)));
        Glance(view, addresses).addDay(page, day, 3);
        page.add("</section>\n");
    }
    return page.finish();
}

}    // namespace timetabling
