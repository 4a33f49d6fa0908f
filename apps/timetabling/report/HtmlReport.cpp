#include <ferry/apps/timetabling/report/HtmlReport.hpp>

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/model/Score.hpp>
#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/apps/timetabling/report/TextReport.hpp>

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

/// A lecture with what is wrong about it.
struct Entry {
    Placement placement;
    bool isHard = false;
    std::string remarks;    ///< one line each
};

class Page {
public:
    Page(const Problem& problem, const Solution& solution)
        : problem_(problem),
          violations_(findViolations(problem, solution)),
          score_(scoreOf(violations_)) {
        for (const Placement& placement : solution.placements) entries_.push_back({placement, false, {}});
        remark();
    }

    std::string write() {
        const std::string name = escapeHtml(problem_.instance().name);
        add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        add("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Timetable {}</title>\n<style>{}</style>\n",
            name, Style);
        add("</head>\n<body>\n<h1>Timetable {}</h1>\n<p class=\"{}\">{}</p>\n", name, score_.isFeasible() ? "good" : "bad",
            escapeHtml(summarize(score_)));
        add("<nav><a href=\"#curricula\">Curricula</a><a href=\"#rooms\">Rooms</a><a href=\"#teachers\">Teachers</a>");
        add("<a href=\"#violations\">Violations</a></nav>\n");
        addBreakdown();
        addCurricula();
        addRooms();
        addTeachers();
        addViolations();
        add("</body>\n</html>\n");
        return std::move(text_);
    }

private:
    using Selection = std::function<bool(const Placement&)>;

    template <class... Values>
    void add(fmt::format_string<Values...> format, Values&&... values) {
        text_ += fmt::format(format, std::forward<Values>(values)...);
    }

    /// Whether the violation shows at this lecture.
    bool concerns(const Violation& violation, const Placement& placement) const {
        if (violation.period >= 0 && violation.period != placement.period) return false;
        if (violation.constraint == Constraint::RoomOccupancy) return violation.room == placement.room;
        if (violation.curriculum >= 0) {
            for (const int curriculum : problem_.curriculaOf(placement.course)) {
                if (curriculum == violation.curriculum) return true;
            }
            return false;
        }
        return violation.course == placement.course || (violation.otherCourse >= 0 && violation.otherCourse == placement.course);
    }

    void remark() {
        // By period, so that a violation meets only the lectures that it can concern.
        std::vector<std::vector<Entry*>> inPeriod(static_cast<std::size_t>(problem_.periodCount()));
        std::vector<std::vector<Entry*>> ofCourse(static_cast<std::size_t>(problem_.courseCount()));
        for (Entry& entry : entries_) {
            inPeriod[static_cast<std::size_t>(entry.placement.period)].push_back(&entry);
            ofCourse[static_cast<std::size_t>(entry.placement.course)].push_back(&entry);
        }
        for (const Violation& violation : violations_) {
            const auto& candidates = violation.period >= 0 ? inPeriod[static_cast<std::size_t>(violation.period)]
                                                           : ofCourse[static_cast<std::size_t>(violation.course)];
            for (Entry* entry : candidates) {
                if (!concerns(violation, entry->placement)) continue;
                entry->isHard = entry->isHard || isHard(violation.constraint);
                if (!entry->remarks.empty()) entry->remarks += '\n';
                entry->remarks += describe(problem_, violation);
            }
        }
    }

    void addBreakdown() {
        add("<h2>Score</h2>\n<table>\n<tr><th>Constraint</th><th>Kind</th><th>Amount</th></tr>\n");
        for (const Constraint constraint : AllConstraints) {
            add("<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td></tr>\n", nameOf(constraint),
                isHard(constraint) ? "hard: violations" : "soft: cost", score_[constraint]);
        }
        add("<tr><th>Total</th><th>violations, cost</th><th>{}, {}</th></tr>\n</table>\n", score_.violations(), score_.cost());
    }

    void addIndex(const char* title, const char* anchor, const std::vector<std::string>& names) {
        add("<h2 id=\"{}\">{}</h2>\n<ul class=\"index\">\n", anchor, title);
        for (std::size_t i = 0; i < names.size(); ++i) add("<li><a href=\"#{}-{}\">{}</a></li>\n", anchor, i, escapeHtml(names[i]));
        add("</ul>\n");
    }

    void addCurricula() {
        std::vector<std::string> names;
        for (const Curriculum& curriculum : problem_.instance().curricula) names.push_back(curriculum.id);
        addIndex("Curricula", "curricula", names);
        for (int curriculum = 0; curriculum < problem_.curriculumCount(); ++curriculum) {
            std::vector<bool> isMember(static_cast<std::size_t>(problem_.courseCount()), false);
            for (const int course : problem_.curriculum(curriculum).courses) isMember[static_cast<std::size_t>(course)] = true;
            addWeek("curricula", curriculum, "Curriculum " + problem_.curriculum(curriculum).id,
                    [&](const Placement& placement) { return isMember[static_cast<std::size_t>(placement.course)]; });
        }
    }

    void addRooms() {
        std::vector<std::string> names;
        for (const Room& room : problem_.instance().rooms) names.push_back(room.id);
        addIndex("Rooms", "rooms", names);
        for (int room = 0; room < problem_.roomCount(); ++room) {
            addWeek("rooms", room, fmt::format("Room {} ({} seats)", problem_.room(room).id, problem_.room(room).seatCount),
                    [&](const Placement& placement) { return placement.room == room; });
        }
    }

    void addTeachers() {
        std::vector<std::string> names;
        for (const Teacher& teacher : problem_.teachers()) names.push_back(teacher.id);
        addIndex("Teachers", "teachers", names);
        for (int teacher = 0; teacher < static_cast<int>(names.size()); ++teacher) {
            addWeek("teachers", teacher, "Teacher " + names[static_cast<std::size_t>(teacher)],
                    [&](const Placement& placement) { return problem_.teacherOf(placement.course) == teacher; });
        }
    }

    /// One week with the lectures that are selected.
    void addWeek(const char* anchor, int number, const std::string& title, const Selection& isSelected) {
        std::vector<std::vector<const Entry*>> cells(static_cast<std::size_t>(problem_.periodCount()));
        for (const Entry& entry : entries_) {
            if (isSelected(entry.placement)) cells[static_cast<std::size_t>(entry.placement.period)].push_back(&entry);
        }
        add("<section class=\"week\" id=\"{}-{}\">\n<h3>{}</h3>\n<table class=\"week\">\n<tr><th>Period</th>", anchor, number,
            escapeHtml(title));
        for (int day = 0; day < problem_.dayCount(); ++day) add("<th>Day {}</th>", day);
        add("</tr>\n");
        for (int i = 0; i < problem_.periodsPerDay(); ++i) {
            add("<tr><th>{}</th>", i);
            for (int day = 0; day < problem_.dayCount(); ++day) {
                add("<td>");
                for (const Entry* entry : cells[static_cast<std::size_t>(day * problem_.periodsPerDay() + i)]) addLecture(*entry);
                add("</td>");
            }
            add("</tr>\n");
        }
        add("</table>\n</section>\n");
    }

    void addLecture(const Entry& entry) {
        const char* kind = entry.isHard ? " hard" : entry.remarks.empty() ? "" : " soft";
        const std::string title = entry.remarks.empty() ? "" : " title=\"" + escapeLines(entry.remarks) + "\"";
        const Course& course = problem_.course(entry.placement.course);
        add("<span class=\"lecture{}\"{}>{} <small>{}, {}</small></span>", kind, title, escapeHtml(course.id), escapeHtml(course.teacher),
            escapeHtml(problem_.room(entry.placement.room).id));
    }

    static std::string escapeLines(std::string_view lines) {
        std::string result;
        while (true) {
            const std::size_t end = lines.find('\n');
            result += escapeHtml(lines.substr(0, end));
            if (end == std::string_view::npos) return result;
            result += "&#10;";
            lines.remove_prefix(end + 1);
        }
    }

    void addViolations() {
        add("<h2 id=\"violations\">Violations</h2>\n");
        if (violations_.empty()) add("<p class=\"good\">None.</p>\n");
        add("<ul>\n");
        for (const Violation& violation : violations_) {
            add("<li class=\"{}\">{}</li>\n", isHard(violation.constraint) ? "bad" : "cost", escapeHtml(describe(problem_, violation)));
        }
        add("</ul>\n");
    }

    const Problem& problem_;
    std::vector<Violation> violations_;
    Score score_;
    std::vector<Entry> entries_;
    std::string text_;
};

}    // namespace

std::string writeHtmlReport(const Problem& problem, const Solution& solution) { return Page(problem, solution).write(); }

}    // namespace timetabling
