#include <ferry/apps/timetabling/report/page/Overview.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/apps/timetabling/report/page/Glance.hpp>
#include <ferry/apps/timetabling/report/page/ThisWeek.hpp>

namespace timetabling {

namespace {

/// The kinds with a table of their own. The table of courses or events has those of the courses.
constexpr std::array<WeekKind, 3> AllKinds{WeekKind::Room, WeekKind::Teacher, WeekKind::Curriculum};
constexpr const char* AmountHeads =
    "<th scope=\"col\" class=\"number\">Violations</th><th scope=\"col\" class=\"number\">Cost</th></tr></thead>\n<tbody>\n";

/// Begins a section. The filter hides a section without a match.
void beginGroup(PageText& page, const char* anchor, const std::string& title) {
    page.add("<section id=\"{}\" data-group>\n<h2>{}</h2>\n", anchor, escapeHtml(title));
}

/// Adds a section with a summary and a list of remarks. Without a summary there is none.
void addRemarks(PageText& page, const char* anchor, const std::string& title, const std::string& summary,
                const std::vector<std::string>& remarks) {
    if (summary.empty()) return;
    beginGroup(page, anchor, title);
    page.add("<p>{}</p>\n<ul class=\"remarks\">\n", escapeHtml(summary));
    const std::size_t listed = std::min(remarks.size(), MostListed);
    for (std::size_t i = 0; i < listed; ++i) page.add("<li data-filter=\"hide\">{}</li>\n", escapeHtml(remarks[i]));
    page.add("</ul>\n");
    if (listed < remarks.size()) page.add("<p>and {} more</p>\n", remarks.size() - listed);
    page.add("</section>\n");
}

}    // namespace

std::vector<int> Overview::weeksOf(WeekKind kind) const {
    std::vector<int> weeks;
    for (std::size_t i = 0; i < view_.weeks.size(); ++i) {
        if (view_.weeks[i].kind == kind) weeks.push_back(static_cast<int>(i));
    }
    return weeks;
}

void Overview::addTo(PageText& page, const std::string& more, const std::string& before) const {
    addHead(page, more);
    page.add("<main>\n");
    addThisWeek(page, view_, addresses_);
    const Glance glance(view_, addresses_);
    glance.addMapAndBars(page);
    page.add("{}", before);
    addScore(page);
    addLeftOut(page);
    addMoved(page);
    for (const WeekKind kind : AllKinds) addWeeks(page, kind);
    addItems(page);
    glance.addFreeRooms(page);
    addFindings(page);
    page.add("</main>\n");
}

void Overview::addHead(PageText& page, const std::string& more) const {
    page.add("<header>\n<h1>Timetable {}</h1>\n<p class=\"verdict {}\">{}</p>\n</header>\n<nav aria-label=\"Parts of this page\">",
             escapeHtml(view_.name), view_.examination.isFeasible ? "good" : "hard", escapeHtml(view_.summary));
    page.add("<a href=\"#glance\">At a glance</a><a href=\"#score\">Score</a>");
    if (!view_.leftOutSummary.empty()) page.add("<a href=\"#left-out\">What is left out</a>");
    if (!view_.movedSummary.empty()) page.add("<a href=\"#moved\">What has moved</a>");
    for (const WeekKind kind : AllKinds) {
        if (!weeksOf(kind).empty()) page.add("<a href=\"#{}\">{}</a>", nameOf(kind), pluralOf(kind));
    }
    page.add("<a href=\"#items\">{}</a><a href=\"#free\">Free rooms</a><a href=\"#wrong\">What is wrong</a>{}</nav>\n",
             escapeHtml(view_.itemsTitle), more);
    page.addFilter("Find a person, a course, a room");
}

void Overview::addScore(PageText& page) const {
    page.add(
        "<section id=\"score\">\n<h2>Score</h2>\n<div class=\"wide\"><table class=\"amounts\">\n<thead><tr><th "
        "scope=\"col\">Constraint</th><th "
        "scope=\"col\">Kind</th>"
        "<th scope=\"col\">Amount</th></tr></thead>\n<tbody>\n");
    for (std::size_t i = 0; i < view_.scoreRows.size(); ++i) {
        const ScoreRow& row = view_.scoreRows[i];
        const bool isSum = i + 1 == view_.scoreRows.size();
        if (isSum) page.add("</tbody>\n<tfoot>\n");
        page.add("<tr><th scope=\"row\">{0}</th><{1}>{2}</{1}><{1} class=\"number\">{3}</{1}></tr>\n", escapeHtml(row.constraint),
                 isSum ? "th" : "td", escapeHtml(row.kind), escapeHtml(row.amount));
        if (isSum) page.add("</tfoot>\n");
    }
    page.add("</table></div>\n");
    if (!view_.notes.empty()) {
        page.add("<h3>What to know</h3>\n<ul class=\"remarks\">\n");
        const std::size_t listed = std::min(view_.notes.size(), MostListed);
        for (std::size_t i = 0; i < listed; ++i) page.add("<li>{}</li>\n", escapeHtml(view_.notes[i]));
        page.add("</ul>\n");
    }
    page.add("</section>\n");
}

void Overview::addLeftOut(PageText& page) const { addRemarks(page, "left-out", "What is left out", view_.leftOutSummary, view_.leftOut); }

void Overview::addMoved(PageText& page) const { addRemarks(page, "moved", "What has moved", view_.movedSummary, view_.moved); }

void Overview::addAmounts(PageText& page, const std::vector<std::size_t>& remarks) const {
    std::int64_t violations = 0;
    std::int64_t cost = 0;
    for (const std::size_t remark : remarks) (view_.remarks[remark].isHard ? violations : cost) += view_.remarks[remark].amount;
    page.add("<td class=\"number{}\">{}</td>\n<td class=\"number\">{}</td></tr>\n", violations > 0 ? " hard" : "", violations, cost);
}

void Overview::addWeeks(PageText& page, WeekKind kind) const {
    const std::vector<int> weeks = weeksOf(kind);
    if (weeks.empty()) return;
    beginGroup(page, nameOf(kind), pluralOf(kind));
    page.add(
        "<div class=\"wide\"><table class=\"list\">\n<thead><tr><th scope=\"col\">{}</th><th scope=\"col\">Size</th>"
        "<th scope=\"col\" class=\"number\">{}</th>{}",
        titleOf(kind), escapeHtml(view_.entriesTitle), AmountHeads);
    for (const int index : weeks) {
        const WeekView& week = view_.weeks[static_cast<std::size_t>(index)];
        page.add("<tr data-filter=\"hide\"><th scope=\"row\">");
        page.addLinked({week.name, index}, addresses_);
        page.add("</th>\n<td>{}</td>\n<td class=\"number\">{}</td>\n", escapeHtml(week.note), week.entries.size());
        addAmounts(page, week.remarks);
    }
    page.add("</tbody>\n</table></div>\n</section>\n");
}

void Overview::addItems(PageText& page) const {
    beginGroup(page, "items", view_.itemsTitle);
    page.add(
        "<div class=\"wide\"><table class=\"list courses\">\n<thead><tr><th scope=\"col\">{}</th><th scope=\"col\">{}</th>"
        "<th scope=\"col\">When and where</th>{}",
        escapeHtml(view_.itemTitle), escapeHtml(view_.aboutTitle), AmountHeads);
    for (const ItemRow& item : view_.items) {
        page.add("<tr data-filter=\"hide\"><th scope=\"row\">");
        page.addLinked({item.name, item.week}, addresses_);
        page.add("</th>\n<td>");
        page.addLinked(item.about, addresses_);
        for (const LinkedText& more : item.moreAbout) {
            page.add("; ");
            page.addLinked(more, addresses_);
        }
        page.add("</td>\n<td class=\"places\">");
        for (const LinkedText& place : item.places) {
            page.add("<span>");
            page.addLinked(place, addresses_);
            page.add("</span> ");
        }
        page.add("</td>\n");
        addAmounts(page, item.remarks);
    }
    page.add("</tbody>\n</table></div>\n</section>\n");
}

void Overview::addFindings(PageText& page) const {
    const std::vector<Finding>& findings = view_.examination.findings;
    page.add("<section id=\"wrong\">\n<h2>What is wrong</h2>\n");
    if (findings.empty()) page.add("<p class=\"good\">Nothing.</p>\n");
    for (std::size_t begin = 0; begin < findings.size();) {
        std::vector<const Finding*> ofConstraint;
        while (begin < findings.size() && (ofConstraint.empty() || findings[begin].constraint == ofConstraint.front()->constraint))
            ofConstraint.push_back(&findings[begin++]);
        addConstraint(page, std::move(ofConstraint));
    }
    page.add("</section>\n");
}

/// Adds the findings of a constraint, the worst first.
void Overview::addConstraint(PageText& page, std::vector<const Finding*> findings) const {
    std::int64_t total = 0;
    for (const Finding* finding : findings) total += finding->amount;
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding* one, const Finding* other) { return one->amount > other->amount; });
    page.add("<div data-group>\n<h3>{} ({}): {}</h3>\n<ul class=\"remarks\">\n", escapeHtml(findings.front()->constraint),
             findings.front()->isHard ? "hard" : "soft", total);
    const std::size_t listed = std::min(findings.size(), MostListed);
    for (std::size_t i = 0; i < listed; ++i) page.add("<li data-filter=\"hide\">{}</li>\n", escapeHtml(findings[i]->text));
    page.add("</ul>\n");
    if (listed < findings.size()) page.add("<p>and {} more</p>\n", findings.size() - listed);
    page.add("</div>\n");
}

}    // namespace timetabling
