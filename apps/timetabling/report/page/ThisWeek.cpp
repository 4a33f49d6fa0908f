#include <ferry/apps/timetabling/report/page/ThisWeek.hpp>

#include <algorithm>
#include <chrono>
#include <string>

#include <ferry/apps/timetabling/model/lowered.hpp>
#include <ferry/apps/timetabling/report/Html.hpp>

namespace timetabling {

namespace {

/// Returns the attributes that say when the term is: its first day, how often the timetable is repeated, and the days off.
std::string termAttributes(const Term& term) {
    std::string off;
    for (const DaysOff& days : term.off)
        off += fmt::format("{}{}..{}", off.empty() ? "" : ",", isoDate(std::chrono::year_month_day(days.first)),
                           isoDate(std::chrono::year_month_day(days.last)));
    return fmt::format(" data-first=\"{}\" data-weeks=\"{}\" data-span=\"{}\" data-off=\"{}\"", isoDate(term.firstDay), term.weekCount,
                       term.weeksOfTimetable, off);
}

}    // namespace

void addThisWeek(PageText& page, const TimetableView& view, const WeekAddresses& addresses) {
    page.add("<section id=\"thisWeek\"{}>\n<h2>The week</h2>\n", view.term ? termAttributes(*view.term) : "");
    const bool isUnknown = !view.term && view.names.days.empty();
    page.add("<p id=\"today\" class=\"note\">{}</p>\n",
             isUnknown ? "What is on today cannot be said: the days have neither names nor dates (<code>--first-day</code>)."
                       : "<noscript>What is on today needs JavaScript.</noscript>");
    page.add("<ol class=\"weekdays\">\n");
    for (int day = 0; day < view.dayCount; ++day) {
        const auto count = std::count_if(view.entries.begin(), view.entries.end(), [&](const WeekEntry& entry) {
            return entry.period >= 0 && entry.period / view.periodsPerDay == day;
        });
        page.add("<li data-offset=\"{}\"><a href=\"{}\">{}</a> <span class=\"date\"></span><span class=\"note\">{} {}</span></li>\n",
                 view.names.offsetOf(day), addresses.days[static_cast<std::size_t>(day)], escapeHtml(view.names.dayTitle(day)), count,
                 escapeHtml(lowered(view.entriesTitle)));
    }
    page.add("</ol>\n<div id=\"todayList\"></div>\n</section>\n");
}

}    // namespace timetabling
