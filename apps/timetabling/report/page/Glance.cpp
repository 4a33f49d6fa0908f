#include <ferry/apps/timetabling/report/page/Glance.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <ferry/apps/timetabling/model/counted.hpp>
#include <ferry/apps/timetabling/report/Html.hpp>

namespace timetabling {

namespace {

/// Returns how a text of a lecture names its teacher and room: "Rossi, A.1".
std::string detailsOf(const WeekEntry& entry) {
    std::string text;
    for (const LinkedText& detail : entry.details) text += ", " + detail.text;
    return text;
}

}    // namespace

Glance::Glance(const TimetableView& view, const WeekAddresses& addresses) : view_(view), addresses_(addresses) {
    roomCount_ = static_cast<std::size_t>(
        std::count_if(view.weeks.begin(), view.weeks.end(), [](const WeekView& week) { return week.kind == WeekKind::Room; }));
    cells_.resize(static_cast<std::size_t>(periods()) * roomCount_);
    for (std::size_t i = 0; i < view.entries.size(); ++i) {
        const WeekEntry& entry = view.entries[i];
        if (entry.period < 0 || entry.room < 0) continue;
        cells_[static_cast<std::size_t>(entry.period) * roomCount_ + static_cast<std::size_t>(entry.room)].push_back(i);
    }
}

std::string Glance::timeOf(int period) const {
    return fmt::format("{} {}", view_.names.dayTitle(period / view_.periodsPerDay), view_.names.period(period % view_.periodsPerDay));
}

void Glance::addMapAndBars(PageText& page) const {
    page.add("<section id=\"glance\" class=\"glance\">\n<div class=\"use\">\n<h2>Use of the rooms</h2>\n");
    std::size_t used = 0;
    for (const std::vector<std::size_t>& cell : cells_) used += cell.empty() ? 0 : 1;
    const auto closed = static_cast<std::size_t>(std::count(view_.closedPlaces.begin(), view_.closedPlaces.end(), true));
    page.add("<p class=\"note\">{} of {} places are used.", used, cells_.size() - closed);
    page.add(" <span class=\"key used\">used</span> <span class=\"key soft\">costs</span> <span class=\"key hard\">violation</span>");
    if (closed > 0) page.add(" <span class=\"key shut\">closed</span>");
    page.add("</p>\n<div class=\"wide map\">\n<table id=\"map\">\n<caption>Rooms by time</caption>\n<thead><tr><td></td>");
    for (int day = 0; day < view_.dayCount; ++day)
        page.add("<th scope=\"colgroup\" colspan=\"{}\" class=\"first\"><a href=\"{}\">{}</a></th>", view_.periodsPerDay,
                 addresses_.days[static_cast<std::size_t>(day)], escapeHtml(view_.names.dayTitle(day)));
    page.add("</tr>\n<tr><th scope=\"col\">Room</th>");
    for (int period = 0; period < periods(); ++period) {
        const int ofDay = period % view_.periodsPerDay;
        page.add("<th scope=\"col\"{} title=\"{}\">{}</th>", ofDay == 0 ? " class=\"first\"" : "", escapeHtml(timeOf(period)),
                 view_.names.periods.empty() ? ofDay : ofDay + 1);
    }
    page.add("</tr></thead>\n<tbody>\n");
    for (int index = 0; index < rooms(); ++index) {
        page.add("<tr><th scope=\"row\">");
        page.addLinked({room(index).name, index}, addresses_);
        page.add("</th>");
        for (int period = 0; period < periods(); ++period) addCell(page, period, index);
        page.add("</tr>\n");
    }
    page.add("</tbody>\n</table></div>\n");
    const bool hasCourses = !view_.weeks.empty() && view_.weeks.back().kind == WeekKind::Course;
    if (hasCourses && addresses_.desk.empty())
        page.add(
            "<p class=\"note screen\">A place leads to its course. What each other place costs needs the program: the page of "
            "<code>timetabling solve --serve</code> shows it.</p>\n");
    page.add("</div>\n");
    addBars(page);
    page.add("</section>\n");
}

void Glance::addCell(PageText& page, int period, int room) const {
    const std::vector<std::size_t>& entries = entriesIn(period, room);
    std::vector<std::size_t> remarks;
    for (const std::size_t entry : entries)
        remarks.insert(remarks.end(), view_.entries[entry].remarks.begin(), view_.entries[entry].remarks.end());
    std::string classes = period % view_.periodsPerDay == 0 ? "first" : "";
    const auto add = [&](const char* name) { classes += (classes.empty() ? "" : " ") + std::string(name); };
    if (isClosed(period, room)) add("shut");
    if (!entries.empty()) add(remarks.empty() ? "used" : styleOf(view_, remarks));
    page.add("<td{}>", classes.empty() ? "" : fmt::format(" class=\"{}\"", classes));
    for (const std::size_t index : entries) {
        const WeekEntry& entry = view_.entries[index];
        const std::string& address = addresses_.weeks[static_cast<std::size_t>(entry.week >= 0 ? entry.week : room)];
        page.add("<a href=\"{}\" data-course=\"{}\" title=\"{}: {}{}{}\"><span>{}</span></a>", address, entry.item,
                 escapeHtml(timeOf(period)), escapeHtml(entry.name), escapeHtml(detailsOf(entry)),
                 remarks.empty() ? "" : "; " + sumUp(view_, remarks), escapeHtml(entry.name));
    }
    page.add("</td>");
}

/// Adds a bar for each constraint with violations or costs. Violations and costs have a scale each.
void Glance::addBars(PageText& page) const {
    std::vector<std::pair<const Finding*, std::int64_t>> sums;
    for (const Finding& finding : view_.examination.findings) {
        if (sums.empty() || sums.back().first->constraint != finding.constraint) sums.emplace_back(&finding, 0);
        sums.back().second += finding.amount;
    }
    page.add("<div class=\"costs\">\n<h2>What costs how much</h2>\n");
    if (sums.empty()) page.add("<p class=\"good\">Nothing costs anything.</p>\n");
    std::array<std::int64_t, 2> most{1, 1};
    for (const auto& [finding, sum] : sums) most.at(finding->isHard ? 1 : 0) = std::max(most.at(finding->isHard ? 1 : 0), sum);
    if (!sums.empty()) page.add("<ul class=\"bars\">\n");
    for (const auto& [finding, sum] : sums) {
        constexpr std::int64_t whole = 100;
        page.add("<li class=\"{}\"><a href=\"#wrong\">{}</a> <b>{}</b><span class=\"bar\"><span style=\"width:{}%\"></span></span></li>\n",
                 finding->isHard ? "hard" : "soft", escapeHtml(finding->constraint),
                 finding->isHard ? counted(sum, "violation") : fmt::to_string(sum),
                 std::max<std::int64_t>(1, whole * sum / most.at(finding->isHard ? 1 : 0)));
    }
    page.add("{}</div>\n", sums.empty() ? "" : "</ul>\n");
}

void Glance::addFreeRooms(PageText& page) const {
    page.add(
        "<section id=\"free\" data-group>\n<h2>Free rooms</h2>\n<div class=\"wide\"><table class=\"list free\">\n<thead><tr><th "
        "scope=\"col\">Time</th><th scope=\"col\">Rooms</th></tr></thead>\n<tbody>\n");
    for (int period = 0; period < periods(); ++period) {
        page.add("<tr data-filter=\"hide\"><th scope=\"row\">{}</th>\n<td class=\"places\">", escapeHtml(timeOf(period)));
        bool isNone = true;
        for (int index = 0; index < rooms(); ++index) {
            if (!entriesIn(period, index).empty() || isClosed(period, index)) continue;
            isNone = false;
            page.add("<span>");
            page.addLinked({room(index).name, index}, addresses_);
            page.add(" ({})</span> ", escapeHtml(room(index).note));
        }
        page.add("{}</td></tr>\n", isNone ? "none" : "");
    }
    page.add("</tbody>\n</table></div>\n</section>\n");
}

void Glance::addDay(PageText& page, int day, int headingLevel) const {
    page.add(
        "<div class=\"wide grids\">\n<table class=\"week day\">\n<caption>All rooms on {}</caption>\n<thead><tr><th "
        "scope=\"col\">Room</th>",
        escapeHtml(view_.names.day(day)));
    for (int i = 0; i < view_.periodsPerDay; ++i) page.add("<th scope=\"col\">{}</th>", escapeHtml(view_.names.periodTitle(i)));
    page.add("</tr></thead>\n<tbody>\n");
    for (int index = 0; index < rooms(); ++index) {
        page.add("<tr><th scope=\"row\">");
        page.addLinked({room(index).name, index}, addresses_);
        page.add("</th>");
        for (int i = 0; i < view_.periodsPerDay; ++i) {
            const int period = day * view_.periodsPerDay + i;
            page.add("<td{}>", isClosed(period, index) ? " class=\"shut\"" : "");
            for (const std::size_t number : entriesIn(period, index)) {
                const WeekEntry& entry = view_.entries[number];
                page.add("<div class=\"lecture{}{}\" data-filter=\"dim\"><span class=\"name\">", entry.remarks.empty() ? "" : " ",
                         entry.remarks.empty() ? "" : styleOf(view_, entry.remarks));
                page.addLinked({entry.name, entry.week}, addresses_);
                page.add("</span></div>");
            }
            page.add("</td>");
        }
        page.add("</tr>\n");
    }
    page.add("</tbody>\n</table>\n</div>\n<div class=\"days\">\n");
    for (int i = 0; i < view_.periodsPerDay; ++i) {
        page.add("<h{0}>{1}</h{0}>\n<ul>\n", headingLevel, escapeHtml(timeOf(day * view_.periodsPerDay + i)));
        for (int index = 0; index < rooms(); ++index) {
            for (const std::size_t number : entriesIn(day * view_.periodsPerDay + i, index)) {
                const WeekEntry& entry = view_.entries[number];
                page.add("<li data-filter=\"dim\"><b>{}</b> ", escapeHtml(room(index).name));
                page.addLinked({entry.name, entry.week}, addresses_);
                page.add("</li>\n");
            }
        }
        page.add("</ul>\n");
    }
    page.add("</div>\n");
}

}    // namespace timetabling
