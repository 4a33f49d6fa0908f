#include <ferry/apps/timetabling/report/WeekPage.hpp>

#include <string_view>

#include <ferry/apps/timetabling/report/Html.hpp>

namespace timetabling {

namespace {

constexpr std::string_view Style = R"(
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1c2733; }
h1 { margin-bottom: .2rem; } h2 { margin-top: 2.5rem; } h3 { margin: 1.6rem 0 .4rem; }
table { border-collapse: collapse; } th, td { border: 1px solid #c9d2dc; padding: .3rem .5rem; text-align: left; vertical-align: top; }
th { background: #eef2f6; font-weight: 600; } td.number { text-align: right; }
table.week { width: 100%; table-layout: fixed; } table.week th:first-child { width: 4.5rem; } table.week td { height: 2.2rem; }
.lecture { display: block; border-radius: 4px; background: #e3eefb; padding: .15rem .4rem; margin-bottom: .15rem; overflow-wrap: anywhere; }
.lecture small { color: #51606f; } .lecture.soft { background: #fdf0cf; box-shadow: inset 3px 0 #d99a00; }
.lecture.hard { background: #fbdcdc; box-shadow: inset 3px 0 #c62828; }
.good { color: #1b7f3b; } .bad { color: #c62828; } nav a { margin-right: 1rem; } ul.index { columns: 5 9rem; padding-left: 1rem; }
@media print { nav, ul.index { display: none; } section.week { break-inside: avoid; } body { margin: 0; max-width: none; } }
)";

/// Text of several lines for a quoted attribute.
std::string escapeLines(std::string_view lines) {
    std::string result;
    while (true) {
        const std::size_t end = lines.find('\n');
        result += escapeHtml(lines.substr(0, end));
        if (end == std::string_view::npos) return result;
        result += "&#10;";
        lines.remove_prefix(end + 1);
    }
}

}    // namespace

void WeekEntry::addRemark(const std::string& text, bool isAboutHard) {
    isHard = isHard || isAboutHard;
    if (!remarks.empty()) remarks += '\n';
    remarks += text;
}

void WeekPage::begin(const std::string& name, const std::string& summary, bool isGood,
                     const std::vector<std::pair<std::string, std::string>>& sections) {
    add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Timetable {}</title>\n<style>{}</style>\n",
        escapeHtml(name), Style);
    add("</head>\n<body>\n<h1>Timetable {}</h1>\n<p class=\"{}\">{}</p>\n", escapeHtml(name), isGood ? "good" : "bad", escapeHtml(summary));
    add("<nav>");
    for (const auto& [anchor, title] : sections) add("<a href=\"#{}\">{}</a>", anchor, escapeHtml(title));
    add("</nav>\n");
}

void WeekPage::addScore(const std::vector<ScoreRow>& rows) {
    add("<h2>Score</h2>\n<table>\n<tr><th>Constraint</th><th>Kind</th><th>Amount</th></tr>\n");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const char* tag = i + 1 == rows.size() ? "th" : "td";
        add("<tr><{0}>{1}</{0}><{0}>{2}</{0}><{0} class=\"number\">{3}</{0}></tr>\n", tag, escapeHtml(rows[i].constraint),
            escapeHtml(rows[i].kind), escapeHtml(rows[i].amount));
    }
    add("</table>\n");
}

void WeekPage::addIndex(const std::string& title, const std::string& anchor, const std::vector<std::string>& names) {
    add("<h2 id=\"{}\">{}</h2>\n<ul class=\"index\">\n", anchor, escapeHtml(title));
    for (std::size_t i = 0; i < names.size(); ++i) add("<li><a href=\"#{}-{}\">{}</a></li>\n", anchor, i, escapeHtml(names[i]));
    add("</ul>\n");
}

void WeekPage::addWeek(const std::string& anchor, int number, const std::string& title, const std::vector<const WeekEntry*>& entries) {
    std::vector<std::vector<const WeekEntry*>> cells(static_cast<std::size_t>(dayCount_ * periodsPerDay_));
    for (const WeekEntry* entry : entries) cells[static_cast<std::size_t>(entry->period)].push_back(entry);
    add("<section class=\"week\" id=\"{}-{}\">\n<h3>{}</h3>\n<table class=\"week\">\n<tr><th>Period</th>", anchor, number,
        escapeHtml(title));
    for (int day = 0; day < dayCount_; ++day) add("<th>Day {}</th>", day);
    add("</tr>\n");
    for (int i = 0; i < periodsPerDay_; ++i) {
        add("<tr><th>{}</th>", i);
        for (int day = 0; day < dayCount_; ++day) {
            add("<td>");
            for (const WeekEntry* entry : cells[static_cast<std::size_t>(day * periodsPerDay_ + i)]) addEntry(*entry);
            add("</td>");
        }
        add("</tr>\n");
    }
    add("</table>\n</section>\n");
}

void WeekPage::addEntry(const WeekEntry& entry) {
    const char* kind = entry.isHard ? " hard" : entry.remarks.empty() ? "" : " soft";
    const std::string title = entry.remarks.empty() ? "" : " title=\"" + escapeLines(entry.remarks) + "\"";
    add("<span class=\"lecture{}\"{}>{} <small>{}</small></span>", kind, title, escapeHtml(entry.name), escapeHtml(entry.details));
}

void WeekPage::addViolations(const std::vector<StyledLine>& lines) {
    add("<h2 id=\"violations\">Violations</h2>\n");
    if (lines.empty()) add("<p class=\"good\">None.</p>\n");
    add("<ul>\n");
    for (const StyledLine& line : lines) add("<li class=\"{}\">{}</li>\n", line.isBad ? "bad" : "cost", escapeHtml(line.text));
    add("</ul>\n");
}

std::string WeekPage::finish() {
    add("</body>\n</html>\n");
    return std::move(text_);
}

}    // namespace timetabling
