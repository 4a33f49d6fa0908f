#include <ferry/apps/timetabling/enrolment/report/EnrolmentPresenter.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ferry/apps/timetabling/enrolment/io/SolutionFile.hpp>
#include <ferry/apps/timetabling/io/InputError.hpp>
#include <ferry/apps/timetabling/io/csvLine.hpp>
#include <ferry/apps/timetabling/report/WeekPage.hpp>

namespace timetabling::enrolment {

namespace {

std::string subjectOf(const Violation& violation) {
    if (violation.student >= 0) return fmt::format("student {}", violation.student);
    if (violation.event >= 0) return fmt::format("event {}", violation.event);
    return fmt::format("room {}", violation.room);
}

/// Whether the violation shows at this event; what is about a student shows at none.
bool concerns(const Violation& violation, int event) { return event >= 0 && (violation.event == event || violation.otherEvent == event); }

std::vector<WeekEntry> makeEntries(const Problem& problem, const Solution& solution, const std::vector<Violation>& violations) {
    std::vector<WeekEntry> entries;
    for (int event = 0; event < problem.eventCount(); ++event) {
        const Place& place = solution[static_cast<std::size_t>(event)];
        WeekEntry entry{
            place.period, fmt::format("Event {}", event), fmt::format("{} students", problem.studentsOf(event).size()), false, {}};
        for (const Violation& violation : violations) {
            if (concerns(violation, event)) entry.addRemark(describe(problem, violation), isHard(violation.constraint));
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

std::vector<ScoreRow> scoreRows(const Score& score) {
    std::vector<ScoreRow> rows;
    for (const Constraint constraint : AllConstraints) {
        const char* kind = constraint == Constraint::Unplaced ? "hard: distance" : isHard(constraint) ? "hard: violations" : "soft: cost";
        rows.push_back({nameOf(constraint), kind, fmt::to_string(score[constraint])});
    }
    rows.push_back({"Total", "violations, distance, cost", fmt::format("{}, {}, {}", score.violations(), score.distance(), score.cost())});
    return rows;
}

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

std::string describeScore(const Score& score) {
    std::string text;
    for (const Constraint constraint : AllConstraints) {
        const char* kind = constraint == Constraint::Unplaced ? "distance  " : isHard(constraint) ? "violations" : "cost      ";
        text += fmt::format("{:<22} {} {}\n", nameOf(constraint), kind, score[constraint]);
    }
    text += fmt::format("{:<22} {} violations, distance {}, cost {}\n", "Total", score.violations(), score.distance(), score.cost());
    return text;
}

std::string summarize(const Score& score) {
    if (score.isFeasible()) return fmt::format("feasible, cost {}", score.cost());
    return fmt::format("infeasible: {} violation{}, distance to feasibility {}, cost {}", score.violations(),
                       score.violations() == 1 ? "" : "s", score.distance(), score.cost());
}

std::string EnrolmentPresenter::problemLine() const {
    const char* rules = problem_.instance().hasSecondRules ? "ITC-2007 track 2" : "ITC-2002";
    return fmt::format("{}: {} events, {} rooms, {} students, rules of {}", printable(problem_.instance().name), problem_.eventCount(),
                       problem_.roomCount(), problem_.studentCount(), rules);
}

Examination EnrolmentPresenter::examine(const Solution& solution) const {
    const std::vector<Violation> violations = findViolations(problem_, solution);
    const Score score = scoreOf(violations);
    Examination result{{}, describeScore(score) + summarize(score) + "\n", score.isFeasible()};
    for (const Violation& violation : violations)
        result.findings.push_back({nameOf(violation.constraint), isHard(violation.constraint), violation.amount, subjectOf(violation),
                                   describe(problem_, violation)});
    return result;
}

Examination EnrolmentPresenter::examine(const Slots& slots) const { return examine(toSolution(problem_, slots)); }

Examination EnrolmentPresenter::examine(const std::string& solutionFile) const { return examine(readSolution(solutionFile, problem_)); }

std::string EnrolmentPresenter::solutionFile(const Slots& slots) const { return writeSolution(toSolution(problem_, slots)); }

std::string EnrolmentPresenter::htmlPage(const Slots& slots) const {
    const Solution solution = toSolution(problem_, slots);
    const std::vector<Violation> violations = findViolations(problem_, solution);
    const Score score = scoreOf(violations);
    const std::vector<WeekEntry> entries = makeEntries(problem_, solution, findHardViolations(problem_, solution));
    WeekPage page(DayCount, PeriodsPerDay);
    page.begin(problem_.instance().name, summarize(score), score.isFeasible(), {{"rooms", "Rooms"}, {"violations", "Violations"}});
    page.addScore(scoreRows(score));
    std::vector<std::string> names;
    for (int room = 0; room < problem_.roomCount(); ++room) names.push_back(fmt::to_string(room));
    page.addIndex("Rooms", "rooms", names);
    for (int room = 0; room < problem_.roomCount(); ++room) {
        std::vector<const WeekEntry*> selected;
        for (std::size_t event = 0; event < entries.size(); ++event) {
            if (solution[event].isPlaced() && solution[event].room == room) selected.push_back(&entries[event]);
        }
        const int seatCount = problem_.instance().roomSeats[static_cast<std::size_t>(room)];
        page.addWeek("rooms", room, fmt::format("Room {} ({} seats)", room, seatCount), selected);
    }
    std::vector<StyledLine> lines;
    for (const Violation& violation : violations) lines.push_back({describe(problem_, violation), isHard(violation.constraint)});
    page.addViolations(lines);
    return page.finish();
}

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
    report["explanation"] = Json::array();
    for (const Violation& violation : violations) report["explanation"].push_back(toJson(problem_, violation));
    constexpr int IndentColumns = 2;
    // The name of the file may hold bytes that are no UTF-8; they are replaced rather than refused.
    return report.dump(IndentColumns, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string EnrolmentPresenter::csvTable(const Slots& slots) const {
    const Solution solution = toSolution(problem_, slots);
    std::string text = csvLine({"event", "day", "period", "room"});
    for (std::size_t event = 0; event < solution.size(); ++event) {
        const auto& [period, room] = solution[event];
        if (solution[event].isPlaced()) {
            text += csvLine({fmt::to_string(event), fmt::to_string(period / PeriodsPerDay), fmt::to_string(period % PeriodsPerDay),
                             fmt::to_string(room)});
        } else {
            text += csvLine({fmt::to_string(event), "", "", ""});
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

}    // namespace timetabling::enrolment
