#include <ferry/apps/timetabling/curriculum/report/JsonReport.hpp>

#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/leftOutLectures.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>

namespace timetabling::curriculum {

namespace {

using Json = nlohmann::ordered_json;

void addPeriod(Json& object, const Problem& problem, int period) {
    object["day"] = problem.dayOf(period);
    object["period"] = problem.periodOfDay(period);
    const WeekNames& names = problem.instance().names;
    if (!names.days.empty()) object["dayName"] = names.day(problem.dayOf(period));
    if (!names.periods.empty()) object["periodName"] = names.periodTitle(problem.periodOfDay(period));
}

Json toJson(const Problem& problem, const Violation& violation) {
    Json object;
    object["constraint"] = nameOf(violation.constraint);
    object["hard"] = isHard(violation.constraint);
    object["amount"] = violation.amount;
    if (violation.course >= 0) object["course"] = problem.course(violation.course).id;
    if (violation.otherCourse >= 0) object["otherCourse"] = problem.course(violation.otherCourse).id;
    if (violation.curriculum >= 0) object["curriculum"] = problem.curriculum(violation.curriculum).id;
    if (violation.teacher >= 0) object["teacher"] = problem.teachers()[static_cast<std::size_t>(violation.teacher)].id;
    if (violation.room >= 0) object["room"] = problem.room(violation.room).id;
    if (violation.day >= 0) object["day"] = violation.day;
    if (violation.period >= 0) addPeriod(object, problem, violation.period);
    object["text"] = describe(problem, violation);
    return object;
}

}    // namespace

std::string writeJsonReport(const Problem& problem, const Solution& solution) {
    const std::vector<Violation> violations = findViolations(problem, solution);
    const Score score = scoreOf(violations);
    Json report;
    report["instance"] = problem.instance().name;
    report["days"] = problem.dayCount();
    report["formulation"] = nameOf(problem.instance().formulation);
    report["periodsPerDay"] = problem.periodsPerDay();
    report["feasible"] = score.isFeasible();
    report["violations"] = score.violations();
    report["cost"] = score.cost();
    for (const Constraint constraint : constraintsOf(problem)) report["breakdown"][nameOf(constraint)] = score[constraint];
    if (!problem.instance().notes.empty()) report["notes"] = problem.instance().notes;
    report["lectures"] = Json::array();
    for (const Placement& placement : solution.placements) {
        Json lecture;
        lecture["course"] = problem.course(placement.course).id;
        lecture["teacher"] = teachersText(problem.course(placement.course));
        lecture["room"] = problem.room(placement.room).id;
        addPeriod(lecture, problem, placement.period);
        report["lectures"].push_back(std::move(lecture));
    }
    if (problem.published())
        addMoved(report, movedLectures(problem, solution), "course", [&](int course) { return Json(problem.course(course).id); });
    addLeftOut(report, leftOutLectures(problem, solution), "course", [&](int course) { return Json(problem.course(course).id); });
    report["explanation"] = Json::array();
    for (const Violation& violation : violations) report["explanation"].push_back(toJson(problem, violation));
    constexpr int IndentColumns = 2;
    // Names may hold bytes that are not UTF-8. The report replaces such bytes and does not refuse the name.
    return report.dump(IndentColumns, ' ', false, Json::error_handler_t::replace) + "\n";
}

}    // namespace timetabling::curriculum
