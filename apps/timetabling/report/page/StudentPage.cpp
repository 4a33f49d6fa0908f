#include <ferry/apps/timetabling/report/page/StudentPage.hpp>

#include <utility>

#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/report/Html.hpp>

namespace timetabling {

namespace {

using Json = nlohmann::json;

/// Returns the JSON document in a form that cannot end the HTML element around it.
std::string embedded(const Json& document) {
    const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string result;
    for (const char symbol : text) {
        if (symbol == '<') {
            result += "\\u003c";
        } else {
            result += symbol;
        }
    }
    return result;
}

/// Returns the data for the script of the pages: events are [period, name, [[text, link]]], students are [events, remarks].
Json dataOf(const TimetableView& view, const WeekAddresses& addresses) {
    Json events = Json::array();
    for (const WeekEntry& entry : view.entries) {
        Json details = Json::array();
        for (const LinkedText& detail : entry.details)
            details.push_back({detail.text, detail.week < 0 ? "" : addresses.weeks[static_cast<std::size_t>(detail.week)]});
        events.push_back(Json::array({entry.period, entry.name, std::move(details)}));
    }
    Json students = Json::array();
    for (const StudentView& student : view.students) students.push_back(Json::array({student.entries, student.remarks}));
    Json data;
    data["days"] = view.dayCount;
    data["periods"] = view.periodsPerDay;
    data["events"] = std::move(events);
    data["students"] = std::move(students);
    return data;
}

}    // namespace

std::string writeStudentPage(const TimetableView& view, const WeekAddresses& addresses) {
    PageText page(fmt::format("Students - Timetable {}", view.name), PageText::Shape::Week);
    page.add("<header>\n<p class=\"note\">Timetable {}</p>\n<h1>Students</h1>\n</header>\n", escapeHtml(view.name));
    page.add("<nav aria-label=\"Other pages\"><a href=\"index.html\">Overview</a></nav>\n<main>\n");
    page.add("<noscript><p>The weeks of students need JavaScript.</p></noscript>\n");
    page.add(
        "<div class=\"filter\" role=\"search\" hidden><label>Number of the student, 0 to {} "
        "<input type=\"search\" inputmode=\"numeric\" id=\"student\" autocomplete=\"off\"></label>"
        "<output id=\"found\" aria-live=\"polite\"></output></div>\n",
        view.students.size() - 1);
    page.add("<section id=\"week\"></section>\n</main>\n<script type=\"application/json\" id=\"data\">{}</script>\n",
             embedded(dataOf(view, addresses)));
    return page.finish();
}

}    // namespace timetabling
