#include <ferry/apps/timetabling/report/page/PageText.hpp>

#include <algorithm>
#include <array>
#include <cstdint>

#include <ferry/apps/timetabling/model/counted.hpp>
#include <ferry/apps/timetabling/report/Html.hpp>
#include <ferry/apps/timetabling/report/page/PageStyle.hpp>

namespace timetabling {

namespace {

struct KindNames {
    const char* name;
    const char* title;
    const char* plural;
};

const KindNames& namesOf(WeekKind kind) {
    static constexpr std::array<KindNames, 4> Names{{{"room", "Room", "Rooms"},
                                                     {"teacher", "Teacher", "Teachers"},
                                                     {"curriculum", "Curriculum", "Curricula"},
                                                     {"course", "Course", "Courses"}}};
    return Names[static_cast<std::size_t>(kind)];
}

}    // namespace

/// The security policy blocks all loading, and all scripts except the script of the page.
PageText::PageText(std::string_view title, Shape shape, bool isServed) {
    add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    add("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src '{}'; "
        "{}base-uri 'none'; form-action 'none'\">\n",
        pageScriptHash(), isServed ? "connect-src 'self'; img-src data:; " : "");
    add("<meta name=\"viewport\" content=\"width=device-width, "
        "initial-scale=1\">\n{}<title>{}</title>\n<style>{}</style>\n</head>\n<body{}>\n",
        isServed ? "<link rel=\"icon\" href=\"data:,\">\n" : "", escapeHtml(title), pageStyle(),
        shape == Shape::Week ? " class=\"weekPage\"" : "");
}

void PageText::addLinked(const LinkedText& linked, const WeekAddresses& addresses, int here) {
    if (linked.week < 0 || linked.week == here) {
        add("{}", escapeHtml(linked.text));
    } else {
        add("<a href=\"{}\">{}</a>", addresses.weeks[static_cast<std::size_t>(linked.week)], escapeHtml(linked.text));
    }
}

void PageText::addFilter(std::string_view label) {
    add("<div class=\"filter\" role=\"search\" hidden><label>{} <input type=\"search\" id=\"filter\" autocomplete=\"off\"></label>"
        "<output id=\"matching\" aria-live=\"polite\"></output><ul id=\"matches\" hidden></ul></div>\n",
        escapeHtml(label));
}

std::string PageText::finish() {
    add("<script>{}</script>\n</body>\n</html>\n", pageScript());
    return std::move(text_);
}

std::string sumUp(const TimetableView& view, const std::vector<std::size_t>& remarks) {
    std::int64_t violations = 0;
    std::int64_t cost = 0;
    for (const std::size_t remark : remarks) (view.remarks[remark].isHard ? violations : cost) += view.remarks[remark].amount;
    if (violations == 0 && cost == 0) return "nothing is wrong";
    const std::string hard = violations == 0 ? "" : counted(violations, "violation");
    const std::string soft = cost == 0 ? "" : fmt::format("cost {}", cost);
    return hard + (hard.empty() || soft.empty() ? "" : ", ") + soft;
}

const char* styleOf(const TimetableView& view, const std::vector<std::size_t>& remarks) {
    const bool isHard = std::any_of(remarks.begin(), remarks.end(), [&](std::size_t remark) { return view.remarks[remark].isHard; });
    return isHard ? "hard" : remarks.empty() ? "good" : "soft";
}

const char* titleOf(WeekKind kind) { return namesOf(kind).title; }
const char* pluralOf(WeekKind kind) { return namesOf(kind).plural; }
const char* nameOf(WeekKind kind) { return namesOf(kind).name; }

}    // namespace timetabling
