#include <ferry/apps/timetabling/enrolment/report/EnrolmentView.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/enrolment/model/leftOutEvents.hpp>
#include <ferry/apps/timetabling/enrolment/model/movedEvents.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::enrolment {

namespace {

std::string subjectOf(const Violation& violation) {
    if (violation.student >= 0) return fmt::format("student {}", violation.student);
    if (violation.event >= 0) return fmt::format("event {}", violation.event);
    return fmt::format("room {}", violation.room);
}

Finding toFinding(const Problem& problem, const Violation& violation) {
    return {nameOf(violation.constraint), isHard(violation.constraint), violation.amount, subjectOf(violation),
            describe(problem, violation)};
}

Examination examine(const Problem& problem, const std::vector<Violation>& violations) {
    const Score score = scoreOf(violations);
    Examination result{{}, describeScore(score) + summarize(score) + "\n", score.isFeasible()};
    for (const Violation& violation : violations) result.findings.push_back(toFinding(problem, violation));
    return result;
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

std::string placeText(const Place& place) {
    if (!place.isPlaced()) return "left out";
    const std::string when = fmt::format("day {} period {}", place.period / PeriodsPerDay, place.period % PeriodsPerDay);
    return place.room < 0 ? when + " without a room" : when + fmt::format(" in room {}", place.room);
}

/// Describes the cost of a soft constraint that one event causes.
std::string eventText(Constraint constraint, int event, std::int64_t cost) {
    const char* what = constraint == Constraint::LastPeriod          ? "is in the last period of the day"
                       : constraint == Constraint::ConsecutiveEvents ? "is the third in a row or a later one"
                                                                     : "is the only one of the day";
    return fmt::format("event {} {} for {}: costs {}", event, what, counted(cost, "student"), cost);
}

class ViewMaker {
public:
    ViewMaker(const Problem& problem, const Solution& solution, const std::vector<Pin>& pins)
        : problem_(problem),
          solution_(solution),
          pins_(pins),
          violations_(findViolations(problem, solution)) {}

    TimetableView make() {
        const Score score = scoreOf(violations_);
        view_.name = problem_.instance().name;
        view_.summary = summarize(score);
        view_.examination = examine(problem_, violations_);
        view_.dayCount = DayCount;
        view_.periodsPerDay = PeriodsPerDay;
        view_.scoreRows = scoreRows(score);
        view_.entriesTitle = "Events";
        view_.itemTitle = "Event";
        view_.itemsTitle = "Events";
        view_.aboutTitle = "Students";
        for (int room = 0; room < problem_.roomCount(); ++room) {
            const int seatCount = problem_.instance().roomSeats[static_cast<std::size_t>(room)];
            view_.weeks.push_back({WeekKind::Room, fmt::to_string(room), counted(seatCount, "seat")});
        }
        for (int event = 0; event < problem_.eventCount(); ++event) addEvent(event);
        addStudents();
        addKept();
        remarkHard();
        remarkSoft();
        gatherRemarks();
        return std::move(view_);
    }

private:
    void addEvent(int event) {
        const Place& place = solution_[static_cast<std::size_t>(event)];
        const std::string students = counted(static_cast<std::int64_t>(problem_.studentsOf(event).size()), "student");
        WeekEntry entry{place.period, fmt::format("Event {}", event), {{students, -1}}};
        entry.item = event;
        entry.room = place.room;
        if (place.room >= 0) {
            entry.details.push_back({fmt::format("room {}", place.room), place.room});
            view_.weeks[static_cast<std::size_t>(place.room)].entries.push_back(static_cast<std::size_t>(event));
        }
        ItemRow& item = view_.items.emplace_back();
        item.name = entry.name;
        item.about.text = students;
        item.places.push_back({placeText(place), place.room});
        view_.entries.push_back(std::move(entry));
    }

    WeekEntry& entryOf(int event) { return view_.entries[static_cast<std::size_t>(event)]; }

    /// Adds the pins, and the list of moved events.
    void addKept() {
        for (const Pin& pin : pins_) {
            const Place& place = solution_[static_cast<std::size_t>(pin.event)];
            if (place.period == pin.period && (pin.room < 0 || place.room == pin.room))
                entryOf(pin.event).notes.push_back(pin.room < 0 ? "pinned in time" : "pinned");
        }
        showLeftOut(view_, leftOutEvents(problem_, solution_), problem_.eventCount(), "event",
                    [](int event) { return fmt::format("event {}", event); });
        if (!problem_.published()) return;
        showMoved(
            view_, movedEvents(problem_, solution_), problem_.eventCount(), "event",
            [](int event) { return fmt::format("event {}", event); }, [&](const Moved& one) { return &entryOf(one.item); });
    }

    void addStudents() {
        for (const std::vector<int>& events : problem_.instance().eventsOfStudent) view_.students.push_back({events, {}});
    }

    std::vector<std::string>& remarksOf(int student) { return view_.students[static_cast<std::size_t>(student)].remarks; }

    void remark(int event) { entryOf(event).remarks.push_back(view_.remarks.size() - 1); }

    void remarkHard() {
        for (std::size_t i = 0; i < violations_.size() && isHard(violations_[i].constraint); ++i) {
            const Violation& violation = violations_[i];
            const std::string& text = view_.examination.findings[i].text;
            view_.remarks.push_back(view_.examination.findings[i]);
            remark(violation.event);
            if (violation.otherEvent >= 0) remark(violation.otherEvent);
            if (violation.constraint == Constraint::Unplaced) {
                for (const int student : problem_.studentsOf(violation.event)) remarksOf(student).push_back(text);
            }
            if (violation.constraint == Constraint::StudentClashes) {
                const std::span<const int> first = problem_.studentsOf(violation.event);
                const std::span<const int> second = problem_.studentsOf(violation.otherEvent);
                std::vector<int> both;
                std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), std::back_inserter(both));
                for (const int student : both) remarksOf(student).push_back(text);
            }
        }
    }

    /// Adds up, for each event, the cost of its students.
    void remarkSoft() {
        const auto eventCount = static_cast<std::size_t>(problem_.eventCount());
        std::array<std::vector<std::int64_t>, ConstraintCount> costs;
        costs.fill(std::vector<std::int64_t>(eventCount, 0));
        for (std::size_t i = 0; i < violations_.size(); ++i) {
            const Violation& violation = violations_[i];
            if (isHard(violation.constraint)) continue;
            remarksOf(violation.student).push_back(view_.examination.findings[i].text);
            // The first two events of a run cost nothing.
            const bool isRun = violation.constraint == Constraint::ConsecutiveEvents;
            const int first = violation.period + (isRun ? 2 : 0);
            const int last = violation.period + (isRun ? violation.found - 1 : 0);
            for (const int event : problem_.instance().eventsOfStudent[static_cast<std::size_t>(violation.student)]) {
                const int period = solution_[static_cast<std::size_t>(event)].period;
                if (period >= first && period <= last)
                    ++costs[static_cast<std::size_t>(violation.constraint)][static_cast<std::size_t>(event)];
            }
        }
        for (const Constraint constraint : AllConstraints) {
            for (int event = 0; event < problem_.eventCount(); ++event) {
                const std::int64_t cost = costs[static_cast<std::size_t>(constraint)][static_cast<std::size_t>(event)];
                if (cost == 0) continue;
                view_.remarks.push_back(
                    {nameOf(constraint), false, cost, fmt::format("event {}", event), eventText(constraint, event, cost)});
                remark(event);
            }
        }
    }

    void gatherRemarks() {
        for (WeekView& week : view_.weeks) {
            for (const std::size_t entry : week.entries)
                week.remarks.insert(week.remarks.end(), view_.entries[entry].remarks.begin(), view_.entries[entry].remarks.end());
            std::sort(week.remarks.begin(), week.remarks.end());
            week.remarks.erase(std::unique(week.remarks.begin(), week.remarks.end()), week.remarks.end());
        }
        for (std::size_t event = 0; event < view_.items.size(); ++event) view_.items[event].remarks = view_.entries[event].remarks;
    }

    const Problem& problem_;
    const Solution& solution_;
    const std::vector<Pin>& pins_;
    std::vector<Violation> violations_;
    TimetableView view_;
};

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

Examination examine(const Problem& problem, const Solution& solution) { return examine(problem, findViolations(problem, solution)); }

TimetableView makeView(const Problem& problem, const Solution& solution, const std::vector<Pin>& pins) {
    return ViewMaker(problem, solution, pins).make();
}

}    // namespace timetabling::enrolment
