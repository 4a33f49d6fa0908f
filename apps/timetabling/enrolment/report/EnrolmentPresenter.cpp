#include <ferry/apps/timetabling/enrolment/report/EnrolmentPresenter.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/enrolment/model/Score.hpp>
#include <ferry/apps/timetabling/enrolment/model/leftOutEvents.hpp>
#include <ferry/apps/timetabling/enrolment/model/movedEvents.hpp>
#include <ferry/apps/timetabling/enrolment/report/EnrolmentView.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>

namespace timetabling::enrolment {

namespace {

using Json = nlohmann::ordered_json;

Json toJson(const Problem& problem, const Violation& violation) {
    Json object;
    object["constraint"] = nameOf(violation.constraint);
    object["hard"] = isHard(violation.constraint);
    object["amount"] = violation.amount;
    if (violation.event >= 0) object["event"] = violation.event;
    if (violation.otherEvent >= 0) object["otherEvent"] = violation.otherEvent;
    if (violation.student >= 0) object["student"] = violation.student;
    if (violation.room >= 0) object["room"] = violation.room;
    if (violation.period >= 0) {
        object["day"] = violation.period / PeriodsPerDay;
        object["period"] = violation.period % PeriodsPerDay;
    }
    object["text"] = describe(problem, violation);
    return object;
}

}    // namespace

std::string EnrolmentPresenter::problemLine() const {
    const char* rules = problem_.instance().hasSecondRules ? "ITC-2007 track 2" : "ITC-2002";
    return fmt::format("{}: {} events, {} rooms, {} students, rules of {}", printable(problem_.instance().name), problem_.eventCount(),
                       problem_.roomCount(), problem_.studentCount(), rules);
}

Examination EnrolmentPresenter::examine(const Slots& slots) const { return enrolment::examine(problem_, toSolution(problem_, slots)); }

Examination EnrolmentPresenter::examine(const std::string& solutionFile) const {
    return enrolment::examine(problem_, readSolution(solutionFile, problem_));
}

TimetableView EnrolmentPresenter::view(const Slots& slots) const { return makeView(problem_, toSolution(problem_, slots), pins_); }

TimetableView EnrolmentPresenter::view(const std::string& solutionFile) const {
    return makeView(problem_, readSolution(solutionFile, problem_), pins_);
}

Slots EnrolmentPresenter::slotsOf(const std::string& solutionFile) const { return toSlots(problem_, readSolution(solutionFile, problem_)); }

std::string EnrolmentPresenter::solutionFile(const Slots& slots) const { return writeSolution(toSolution(problem_, slots)); }

std::string EnrolmentPresenter::jsonDocument(const Slots& slots) const {
    const Solution solution = toSolution(problem_, slots);
    const std::vector<Violation> violations = findViolations(problem_, solution);
    const Score score = scoreOf(violations);
    Json report;
    report["instance"] = problem_.instance().name;
    report["days"] = DayCount;
    report["periodsPerDay"] = PeriodsPerDay;
    report["feasible"] = score.isFeasible();
    report["violations"] = score.violations();
    report["distance"] = score.distance();
    report["cost"] = score.cost();
    for (const Constraint constraint : AllConstraints) report["breakdown"][nameOf(constraint)] = score[constraint];
    report["events"] = Json::array();
    for (std::size_t event = 0; event < solution.size(); ++event) {
        Json object;
        object["event"] = event;
        object["placed"] = solution[event].isPlaced();
        if (solution[event].isPlaced()) {
            object["day"] = solution[event].period / PeriodsPerDay;
            object["period"] = solution[event].period % PeriodsPerDay;
            object["room"] = solution[event].room;
        }
        report["events"].push_back(std::move(object));
    }
    if (problem_.published()) addMoved(report, movedEvents(problem_, solution), "event", [](int event) { return Json(event); });
    addLeftOut(report, leftOutEvents(problem_, solution), "event", [](int event) { return Json(event); });
    report["explanation"] = Json::array();
    for (const Violation& violation : violations) report["explanation"].push_back(toJson(problem_, violation));
    constexpr int IndentColumns = 2;
    // The name of the file may hold bytes that are not UTF-8. The report replaces such bytes and does not refuse the name.
    return report.dump(IndentColumns, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string EnrolmentPresenter::csvTable(const Slots& slots) const {
    const Solution solution = toSolution(problem_, slots);
    const std::vector<LeftOut> leftOut = leftOutEvents(problem_, solution);
    std::vector<std::string> reasons(solution.size());
    for (const LeftOut& one : leftOut) reasons[static_cast<std::size_t>(one.item)] = one.reason;
    const auto lineOf = [&](std::vector<std::string> cells, const std::string& reason) {
        if (!leftOut.empty()) cells.push_back(reason);
        return csvLine(cells);
    };
    std::string text = lineOf({"event", "day", "period", "room"}, "left_out");
    for (std::size_t event = 0; event < solution.size(); ++event) {
        const auto& [period, room] = solution[event];
        if (solution[event].isPlaced()) {
            text += lineOf({fmt::to_string(event), fmt::to_string(period / PeriodsPerDay), fmt::to_string(period % PeriodsPerDay),
                            fmt::to_string(room)},
                           "");
        } else {
            text += lineOf({fmt::to_string(event), "", "", ""}, reasons[event]);
        }
    }
    return text;
}

std::vector<Calendar> EnrolmentPresenter::calendars(const Slots& slots) const {
    const Solution solution = toSolution(problem_, slots);
    std::vector<Calendar> all;
    for (int room = 0; room < problem_.roomCount(); ++room) all.push_back({"room", fmt::to_string(room), {}});
    for (std::size_t event = 0; event < solution.size(); ++event) {
        if (!solution[event].isPlaced() || solution[event].room < 0) continue;
        const int period = solution[event].period;
        const auto room = static_cast<std::size_t>(solution[event].room);
        all[room].events.push_back({period / PeriodsPerDay, period % PeriodsPerDay, fmt::format("event {}", event), fmt::to_string(room),
                                    fmt::format("{} students", problem_.studentsOf(static_cast<int>(event)).size())});
    }
    std::erase_if(all, [](const Calendar& calendar) { return calendar.events.empty(); });
    return all;
}

std::string EnrolmentPresenter::describeLeftOut(const Slots& slots) const {
    return timetabling::describeLeftOut(leftOutEvents(problem_, toSolution(problem_, slots)), problem_.eventCount(), "event",
                                        [](int event) { return fmt::format("event {}", event); });
}

std::string EnrolmentPresenter::describeMoved(const Slots& slots) const {
    if (!problem_.published()) return {};
    return timetabling::describeMoved(movedEvents(problem_, toSolution(problem_, slots)), problem_.eventCount(), "event",
                                      [](int event) { return fmt::format("event {}", event); });
}

}    // namespace timetabling::enrolment
