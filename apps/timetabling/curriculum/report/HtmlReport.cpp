#include <ferry/apps/timetabling/curriculum/report/HtmlReport.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>
#include <ferry/apps/timetabling/report/WeekPage.hpp>

namespace timetabling::curriculum {

namespace {

class Report {
public:
    Report(const Problem& problem, const Solution& solution)
        : problem_(problem),
          placements_(solution.placements),
          violations_(findViolations(problem, solution)),
          score_(scoreOf(violations_)),
          page_(problem.dayCount(), problem.periodsPerDay()) {
        for (const Placement& placement : placements_) {
            const Course& course = problem.course(placement.course);
            entries_.push_back({placement.period, course.id, course.teacher + ", " + problem.room(placement.room).id, false, {}});
        }
        remark();
    }

    std::string write() {
        page_.begin(problem_.instance().name, summarize(score_), score_.isFeasible(),
                    {{"curricula", "Curricula"}, {"rooms", "Rooms"}, {"teachers", "Teachers"}, {"violations", "Violations"}});
        addScore();
        addCurricula();
        addRooms();
        addTeachers();
        addViolations();
        return page_.finish();
    }

private:
    using Selection = std::function<bool(const Placement&)>;

    /// Whether the violation shows at this lecture.
    bool concerns(const Violation& violation, const Placement& placement) const {
        if (violation.period >= 0 && violation.period != placement.period) return false;
        if (violation.day >= 0 && violation.day != problem_.dayOf(placement.period)) return false;
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
        // By period and course, so that a violation meets only the lectures that it can concern.
        std::vector<std::vector<std::size_t>> inPeriod(static_cast<std::size_t>(problem_.periodCount()));
        std::vector<std::vector<std::size_t>> ofCourse(static_cast<std::size_t>(problem_.courseCount()));
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            inPeriod[static_cast<std::size_t>(placements_[i].period)].push_back(i);
            ofCourse[static_cast<std::size_t>(placements_[i].course)].push_back(i);
        }
        const auto candidatesOf = [&](const Violation& violation) {
            if (violation.period >= 0) return inPeriod[static_cast<std::size_t>(violation.period)];
            if (violation.course >= 0) return ofCourse[static_cast<std::size_t>(violation.course)];
            std::vector<std::size_t> ofDay;
            for (int i = 0; i < problem_.periodsPerDay(); ++i) {
                const std::vector<std::size_t>& more = inPeriod[static_cast<std::size_t>(violation.day * problem_.periodsPerDay() + i)];
                ofDay.insert(ofDay.end(), more.begin(), more.end());
            }
            return ofDay;
        };
        for (const Violation& violation : violations_) {
            for (const std::size_t i : candidatesOf(violation)) {
                if (concerns(violation, placements_[i])) entries_[i].addRemark(describe(problem_, violation), isHard(violation.constraint));
            }
        }
    }

    void addScore() {
        std::vector<ScoreRow> rows;
        for (const Constraint constraint : constraintsOf(problem_)) {
            rows.push_back(
                {nameOf(constraint), isHard(constraint) ? "hard: violations" : "soft: cost", fmt::to_string(score_[constraint])});
        }
        rows.push_back({"Total", "violations, cost", fmt::format("{}, {}", score_.violations(), score_.cost())});
        page_.addScore(rows);
    }

    void addCurricula() {
        std::vector<std::string> names;
        for (const Curriculum& curriculum : problem_.instance().curricula) names.push_back(curriculum.id);
        page_.addIndex("Curricula", "curricula", names);
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
        page_.addIndex("Rooms", "rooms", names);
        for (int room = 0; room < problem_.roomCount(); ++room) {
            addWeek("rooms", room, fmt::format("Room {} ({} seats)", problem_.room(room).id, problem_.room(room).seatCount),
                    [&](const Placement& placement) { return placement.room == room; });
        }
    }

    void addTeachers() {
        std::vector<std::string> names;
        for (const Teacher& teacher : problem_.teachers()) names.push_back(teacher.id);
        page_.addIndex("Teachers", "teachers", names);
        for (int teacher = 0; teacher < static_cast<int>(names.size()); ++teacher) {
            addWeek("teachers", teacher, "Teacher " + names[static_cast<std::size_t>(teacher)],
                    [&](const Placement& placement) { return problem_.teacherOf(placement.course) == teacher; });
        }
    }

    /// One week with the lectures that are selected.
    void addWeek(const char* anchor, int number, const std::string& title, const Selection& isSelected) {
        std::vector<const WeekEntry*> selected;
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            if (isSelected(placements_[i])) selected.push_back(&entries_[i]);
        }
        page_.addWeek(anchor, number, title, selected);
    }

    void addViolations() {
        std::vector<StyledLine> lines;
        for (const Violation& violation : violations_) lines.push_back({describe(problem_, violation), isHard(violation.constraint)});
        page_.addViolations(lines);
    }

    const Problem& problem_;
    const std::vector<Placement>& placements_;
    std::vector<Violation> violations_;
    Score score_;
    WeekPage page_;
    std::vector<WeekEntry> entries_;    ///< by placement
};

}    // namespace

std::string writeHtmlReport(const Problem& problem, const Solution& solution) { return Report(problem, solution).write(); }

}    // namespace timetabling::curriculum
