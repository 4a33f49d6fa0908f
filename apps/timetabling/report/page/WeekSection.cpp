#include <ferry/apps/timetabling/report/page/WeekSection.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>

#include <ferry/apps/timetabling/report/Html.hpp>

namespace timetabling {

namespace {

constexpr std::size_t MostMarks = 8;    ///< greatest number of remarks that a lecture names, in the grid and in the tooltip over it
constexpr int MostDays = 7;             ///< greatest number of days side by side

}    // namespace

WeekSection::WeekSection(const TimetableView& view, const WeekAddresses& addresses, int week, int headingLevel)
    : view_(view),
      addresses_(addresses),
      week_(view.weeks[static_cast<std::size_t>(week)]),
      index_(week),
      headingLevel_(headingLevel) {}

void WeekSection::addTo(PageText& page) const {
    std::vector<std::vector<std::size_t>> cells(static_cast<std::size_t>(view_.dayCount) * static_cast<std::size_t>(view_.periodsPerDay));
    for (const std::size_t entry : week_.entries) cells[static_cast<std::size_t>(view_.entries[entry].period)].push_back(entry);
    page.add("<p class=\"note\">{}</p>\n<p class=\"verdict {}\">Here: {}</p>\n", escapeHtml(week_.note), styleOf(view_, week_.remarks),
             sumUp(view_, week_.remarks));
    page.add("<div class=\"pair{}\">\n<div>\n<div class=\"wide grids\">\n", week_.remarks.empty() ? " clean" : "");
    for (int day = 0; day < view_.dayCount;) {
        // The days of one week of the calendar are side by side.
        int end = day + 1;
        while (end < view_.dayCount && end - day < MostDays && view_.names.offsetOf(end) - view_.names.offsetOf(day) < MostDays) ++end;
        addGrid(page, cells, day, end);
        day = end;
    }
    page.add("</div>\n");
    addList(page, cells);
    if (!week_.remarks.empty()) {
        page.add("<div class=\"explanation\">\n<div>\n");
        addRemarks(page);
        page.add("</div>\n<div>\n");
        addCosts(page);
        page.add("</div>\n</div>\n");
    }
    page.add("</div>\n");
}

/// Adds a list for each day, which narrow screens show in the place of the grid.
void WeekSection::addList(PageText& page, const std::vector<std::vector<std::size_t>>& cells) const {
    page.add("<div class=\"days\">\n");
    for (int day = 0; day < view_.dayCount; ++day) {
        bool isEmpty = true;
        for (int i = 0; i < view_.periodsPerDay; ++i) {
            for (const std::size_t index : cells[static_cast<std::size_t>(day * view_.periodsPerDay + i)]) {
                const WeekEntry& entry = view_.entries[index];
                if (isEmpty) page.add("<h{0}>{1}</h{0}>\n<ul>\n", headingLevel_, escapeHtml(view_.names.dayTitle(day)));
                isEmpty = false;
                const std::vector<std::size_t> remarks = remarksHere(entry);
                page.add("<li data-filter=\"dim\"{}><b>{}</b> ",
                         remarks.empty() ? "" : fmt::format(" class=\"{}\"", styleOf(view_, remarks)),
                         escapeHtml(view_.names.periodTitle(i)));
                page.addLinked({entry.name, entry.week}, addresses_, index_);
                for (const LinkedText& detail : entry.details) {
                    if (detail.week == index_) continue;
                    page.add(", ");
                    page.addLinked(detail, addresses_, index_);
                }
                for (const std::string& note : entry.notes) page.add(", {}", escapeHtml(note));
                if (!remarks.empty()) page.add(" ({})", sumUp(view_, remarks));
                addLinkToDesk(page, entry, "");
                page.add("</li>\n");
            }
        }
        if (!isEmpty) page.add("</ul>\n");
    }
    page.add("</div>\n</div>\n");
}

void WeekSection::addGrid(PageText& page, const std::vector<std::vector<std::size_t>>& cells, int firstDay, int endDay) const {
    page.add("<table class=\"week\">\n<caption>The week of {} {}", nameOf(week_.kind), escapeHtml(week_.name));
    if (endDay - firstDay < view_.dayCount && view_.names.days.empty()) page.add(", days {} to {}", firstDay, endDay - 1);
    if (endDay - firstDay < view_.dayCount && !view_.names.days.empty())
        page.add(", {} to {}", escapeHtml(view_.names.day(firstDay)), escapeHtml(view_.names.day(endDay - 1)));
    page.add("</caption>\n<thead><tr><th scope=\"col\">Period</th>");
    for (int day = firstDay; day < endDay; ++day) page.add("<th scope=\"col\">{}</th>", escapeHtml(view_.names.dayTitle(day)));
    page.add("</tr></thead>\n<tbody>\n");
    for (int i = 0; i < view_.periodsPerDay; ++i) {
        page.add("<tr><th scope=\"row\">{}</th>", escapeHtml(view_.names.periodTitle(i)));
        for (int day = firstDay; day < endDay; ++day) {
            page.add("<td>");
            for (const std::size_t entry : cells[static_cast<std::size_t>(day * view_.periodsPerDay + i)])
                addEntry(page, view_.entries[entry]);
            page.add("</td>");
        }
        page.add("</tr>\n");
    }
    page.add("</tbody>\n</table>\n");
}

std::vector<std::size_t> WeekSection::remarksHere(const WeekEntry& entry) const {
    std::vector<std::size_t> remarks;
    std::set_intersection(entry.remarks.begin(), entry.remarks.end(), week_.remarks.begin(), week_.remarks.end(),
                          std::back_inserter(remarks));
    return remarks;
}

/// Adds a link to the page that shows what other places of the lecture cost, if there is such a page.
void WeekSection::addLinkToDesk(PageText& page, const WeekEntry& entry, const char* styleClass) const {
    if (addresses_.desk.empty() || entry.item < 0 || entry.week < 0) return;
    page.add(" <a class=\"{}\" href=\"{}#at-{}-{}\">other places</a>", styleClass, addresses_.desk, entry.item, entry.period);
}

void WeekSection::addEntry(PageText& page, const WeekEntry& entry) const {
    const std::vector<std::size_t> remarks = remarksHere(entry);
    page.add("<div class=\"lecture{}{}\" data-filter=\"dim\"", remarks.empty() ? "" : " ", remarks.empty() ? "" : styleOf(view_, remarks));
    if (!remarks.empty()) {
        page.add(" title=\"");
        for (std::size_t i = 0; i < std::min(remarks.size(), MostMarks); ++i)
            page.add("{}{}", i == 0 ? "" : "&#10;", escapeHtml(view_.remarks[remarks[i]].text));
        if (remarks.size() > MostMarks) page.add("&#10;and {} more", remarks.size() - MostMarks);
        page.add("\"");
    }
    page.add("><span class=\"name\">");
    page.addLinked({entry.name, entry.week}, addresses_, index_);
    page.add("</span>");
    for (const LinkedText& detail : entry.details) {
        if (detail.week == index_) continue;
        page.add(" <span class=\"detail\">");
        page.addLinked(detail, addresses_);
        page.add("</span>");
    }
    for (const std::string& note : entry.notes) page.add(" <span class=\"kept\">{}</span>", escapeHtml(note));
    addLinkToDesk(page, entry, "detail");
    addMark(page, remarks, true);
    addMark(page, remarks, false);
    page.add("</div>");
}

/// Adds the numbers of the remarks in the list beside the grid.
void WeekSection::addMark(PageText& page, const std::vector<std::size_t>& remarks, bool isHard) const {
    std::size_t count = 0;
    for (const std::size_t remark : remarks) {
        if (view_.remarks[remark].isHard != isHard || ++count > MostMarks) continue;
        const auto number = std::lower_bound(week_.remarks.begin(), week_.remarks.end(), remark) - week_.remarks.begin() + 1;
        page.add("{}", count == 1 ? isHard ? " <span class=\"mark\">violation: " : " <span class=\"mark\">costs: " : ", ");
        if (static_cast<std::size_t>(number) > MostListed) {
            page.add("{}", number);
        } else {
            page.add("<a href=\"#week-{}-{}\">{}</a>", index_, number, number);
        }
    }
    if (count > MostMarks) page.add(" and {} more", count - MostMarks);
    if (count > 0) page.add("</span>");
}

void WeekSection::addRemarks(PageText& page) const {
    page.add("<h{0}>What is wrong here</h{0}>\n<ol class=\"remarks\">\n", headingLevel_);
    const std::size_t listed = std::min(week_.remarks.size(), MostListed);
    for (std::size_t i = 0; i < listed; ++i) {
        const Finding& remark = view_.remarks[week_.remarks[i]];
        page.add("<li id=\"week-{}-{}\" data-filter=\"dim\"><b class=\"{}\">{} ({}):</b>{}</li>\n", index_, i + 1,
                 remark.isHard ? "hard" : "soft", escapeHtml(remark.constraint), remark.isHard ? "hard" : "soft", escapeHtml(remark.text));
    }
    page.add("</ol>\n");
    if (listed < week_.remarks.size()) page.add("<p>and {} more</p>\n", week_.remarks.size() - listed);
}

/// Adds the costs by constraint. The remarks are in the order of the constraints.
void WeekSection::addCosts(PageText& page) const {
    page.add(
        "<h{0}>What it costs</h{0}>\n<div class=\"wide\"><table class=\"amounts\">\n<thead><tr><th scope=\"col\">Constraint</th><th "
        "scope=\"col\">Kind</th>"
        "<th scope=\"col\">Amount</th></tr></thead>\n<tbody>\n",
        headingLevel_);
    for (std::size_t begin = 0; begin < week_.remarks.size();) {
        const Finding& first = view_.remarks[week_.remarks[begin]];
        std::int64_t amount = 0;
        std::size_t end = begin;
        for (; end < week_.remarks.size() && view_.remarks[week_.remarks[end]].constraint == first.constraint; ++end)
            amount += view_.remarks[week_.remarks[end]].amount;
        page.add("<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"number\">{}</td></tr>\n", escapeHtml(first.constraint),
                 first.isHard ? "hard" : "soft", amount);
        begin = end;
    }
    page.add("</tbody>\n</table></div>\n<p class=\"note\">A violation or cost of several weeks counts in each of these weeks.</p>\n");
}

}    // namespace timetabling
