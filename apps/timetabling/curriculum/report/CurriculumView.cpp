#include <ferry/apps/timetabling/curriculum/report/CurriculumView.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/model/leftOutLectures.hpp>
#include <ferry/apps/timetabling/curriculum/model/movedLectures.hpp>
#include <ferry/apps/timetabling/curriculum/report/TextReport.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

namespace {

std::string subjectOf(const Problem& problem, const Violation& violation) {
    if (violation.curriculum >= 0) return "curriculum " + problem.curriculum(violation.curriculum).id;
    if (violation.teacher >= 0) return "teacher " + problem.teachers()[static_cast<std::size_t>(violation.teacher)].id;
    if (violation.course >= 0) return "course " + problem.course(violation.course).id;
    return "room " + problem.room(violation.room).id;
}

Examination examine(const Problem& problem, const std::vector<Violation>& violations) {
    const Score score = scoreOf(violations);
    Examination result{{}, describeScore(problem, score) + summarize(score) + "\n", score.isFeasible()};
    for (const Violation& violation : violations)
        result.findings.push_back({nameOf(violation.constraint), isHard(violation.constraint), violation.amount,
                                   subjectOf(problem, violation), describe(problem, violation)});
    return result;
}

class ViewMaker {
public:
    ViewMaker(const Problem& problem, const Solution& solution)
        : problem_(problem),
          placements_(sorted(solution.placements)),
          violations_(findViolations(problem, solution)),
          firstTeacher_(problem.roomCount()),
          firstCurriculum_(firstTeacher_ + static_cast<int>(problem.teachers().size())),
          firstCourse_(firstCurriculum_ + problem.curriculumCount()) {}

    TimetableView make() {
        const Score score = scoreOf(violations_);
        view_.name = problem_.instance().name;
        view_.summary = summarize(score);
        view_.examination = examine(problem_, violations_);
        view_.remarks = view_.examination.findings;
        view_.dayCount = problem_.dayCount();
        view_.periodsPerDay = problem_.periodsPerDay();
        view_.names = problem_.instance().names;
        view_.notes = problem_.instance().notes;
        for (int slot = 0; problem_.hasClosedRooms() && slot < problem_.slotCount(); ++slot)
            view_.closedPlaces.push_back(!problem_.isRoomOpen(problem_.roomOfSlot(slot), problem_.periodOfSlot(slot)));
        addScore(score);
        addWeeks();
        addItems();
        addEntries();
        addPins();
        addMoved();
        remarkEntries();
        remarkCourses();
        gatherRemarks();
        return std::move(view_);
    }

private:
    static std::vector<Placement> sorted(std::vector<Placement> placements) {
        std::sort(placements.begin(), placements.end(), [](const Placement& a, const Placement& b) { return keyOf(a) < keyOf(b); });
        return placements;
    }
    static std::tuple<int, int, int> keyOf(const Placement& placement) { return {placement.course, placement.period, placement.room}; }

    WeekView& weekOf(int index) { return view_.weeks[static_cast<std::size_t>(index)]; }
    ItemRow& itemOf(int course) { return view_.items[static_cast<std::size_t>(course)]; }
    /// The teachers of the course with their weeks.
    std::vector<LinkedText> teachersOf(int course) const {
        std::vector<LinkedText> teachers;
        for (const int teacher : problem_.teachersOf(course))
            teachers.push_back({problem_.teachers()[static_cast<std::size_t>(teacher)].id, firstTeacher_ + teacher});
        return teachers;
    }

    /// Returns the indices of the weeks that show the lectures of the course, except the weeks of rooms.
    std::vector<int> weeksOf(int course) const {
        std::vector<int> weeks;
        for (const int teacher : problem_.teachersOf(course)) weeks.push_back(firstTeacher_ + teacher);
        for (const int curriculum : problem_.curriculaOf(course)) weeks.push_back(firstCurriculum_ + curriculum);
        weeks.push_back(firstCourse_ + course);
        return weeks;
    }

    void addScore(const Score& score) {
        for (const Constraint constraint : constraintsOf(problem_))
            view_.scoreRows.push_back(
                {nameOf(constraint), isHard(constraint) ? "hard: violations" : "soft: cost", fmt::to_string(score[constraint])});
        view_.scoreRows.push_back({"Total", "violations, cost", fmt::format("{}, {}", score.violations(), score.cost())});
    }

    void addWeeks() {
        for (const Room& room : problem_.instance().rooms)
            view_.weeks.push_back({WeekKind::Room, room.id, counted(room.seatCount, "seat")});
        for (const Teacher& teacher : problem_.teachers())
            view_.weeks.push_back({WeekKind::Teacher, teacher.id, counted(static_cast<std::int64_t>(teacher.courses.size()), "course")});
        for (const Curriculum& curriculum : problem_.instance().curricula)
            view_.weeks.push_back(
                {WeekKind::Curriculum, curriculum.id, counted(static_cast<std::int64_t>(curriculum.courses.size()), "course")});
        for (const Course& course : problem_.instance().courses)
            view_.weeks.push_back({WeekKind::Course, course.id, counted(course.studentCount, "student")});
    }

    void addItems() {
        view_.entriesTitle = "Lectures";
        view_.itemTitle = "Course";
        view_.itemsTitle = "Courses";
        view_.aboutTitle = "Teacher";
        view_.items.resize(static_cast<std::size_t>(problem_.courseCount()));
        for (int course = 0; course < problem_.courseCount(); ++course) {
            itemOf(course).name = problem_.course(course).id;
            itemOf(course).week = firstCourse_ + course;
            const std::vector<LinkedText> teachers = teachersOf(course);
            itemOf(course).about = teachers.front();
            itemOf(course).moreAbout.assign(teachers.begin() + 1, teachers.end());
        }
    }

    void addEntries() {
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            const auto& [course, period, room] = placements_[i];
            const std::string& roomName = problem_.room(room).id;
            std::vector<LinkedText> details = teachersOf(course);
            details.push_back({roomName, room});
            view_.entries.push_back({period, problem_.course(course).id, std::move(details), course, room, firstCourse_ + course});
            weekOf(room).entries.push_back(i);
            for (const int week : weeksOf(course)) weekOf(week).entries.push_back(i);
            itemOf(course).places.push_back({fmt::format("{} in {}", problem_.periodText(period), roomName), room});
        }
    }

    /// Returns the entry of the course in the period, and in the room if `room` is given. Null when there is no such entry.
    WeekEntry* entryAt(int course, int period, int room) {
        const auto found = std::lower_bound(placements_.begin(), placements_.end(), std::tuple(course, period, room),
                                            [](const Placement& placement, const auto& key) { return keyOf(placement) < key; });
        if (found == placements_.end() || found->course != course || found->period != period || (room >= 0 && found->room != room))
            return nullptr;
        return &view_.entries[static_cast<std::size_t>(found - placements_.begin())];
    }

    void addPins() {
        for (const Pin& pin : problem_.instance().published.pins) {
            if (WeekEntry* entry = entryAt(pin.course, pin.period, pin.room))
                entry->notes.push_back(pin.room < 0 ? "pinned in time" : "pinned");
        }
    }

    void addMoved() {
        showLeftOut(view_, leftOutLectures(problem_, Solution{placements_}), problem_.lectureCount(), "lecture",
                    [&](int course) { return problem_.course(course).id; });
        if (!problem_.published()) return;
        showMoved(
            view_, movedLectures(problem_, Solution{placements_}), problem_.lectureCount(), "lecture",
            [&](int course) { return problem_.course(course).id; },
            [&](const Moved& one) { return entryAt(one.item, one.period, one.room); });
    }

    /// Whether the violation is shown at this lecture.
    bool concerns(const Violation& violation, const Placement& placement) const {
        if (violation.period >= 0 && violation.period != placement.period) return false;
        if (violation.day >= 0 && violation.day != problem_.dayOf(placement.period)) return false;
        if (violation.constraint == Constraint::RoomOccupancy) return violation.room == placement.room;
        if (violation.curriculum >= 0) {
            const std::span<const int> curricula = problem_.curriculaOf(placement.course);
            return std::find(curricula.begin(), curricula.end(), violation.curriculum) != curricula.end();
        }
        if (violation.teacher >= 0) {
            const std::span<const int> teachers = problem_.teachersOf(placement.course);
            return std::find(teachers.begin(), teachers.end(), violation.teacher) != teachers.end();
        }
        return violation.course == placement.course || (violation.otherCourse >= 0 && violation.otherCourse == placement.course);
    }

    void remarkEntries() {
        // Lists of lectures by period and by course. A violation is compared only with the lectures that it can concern.
        std::vector<std::vector<std::size_t>> inPeriod(static_cast<std::size_t>(problem_.periodCount()));
        std::vector<std::vector<std::size_t>> ofCourse(static_cast<std::size_t>(problem_.courseCount()));
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            inPeriod[static_cast<std::size_t>(placements_[i].period)].push_back(i);
            ofCourse[static_cast<std::size_t>(placements_[i].course)].push_back(i);
        }
        const auto candidatesOf = [&](const Violation& violation) {
            if (violation.period >= 0) return inPeriod[static_cast<std::size_t>(violation.period)];
            std::vector<std::size_t> ofTeacher;
            if (violation.teacher >= 0) {
                for (const int course : problem_.teachers()[static_cast<std::size_t>(violation.teacher)].courses) {
                    const std::vector<std::size_t>& more = ofCourse[static_cast<std::size_t>(course)];
                    ofTeacher.insert(ofTeacher.end(), more.begin(), more.end());
                }
                return ofTeacher;
            }
            if (violation.course >= 0) return ofCourse[static_cast<std::size_t>(violation.course)];
            std::vector<std::size_t> ofDay;
            for (int i = 0; i < problem_.periodsPerDay(); ++i) {
                const std::vector<std::size_t>& more = inPeriod[static_cast<std::size_t>(violation.day * problem_.periodsPerDay() + i)];
                ofDay.insert(ofDay.end(), more.begin(), more.end());
            }
            return ofDay;
        };
        for (std::size_t remark = 0; remark < violations_.size(); ++remark) {
            for (const std::size_t i : candidatesOf(violations_[remark])) {
                if (concerns(violations_[remark], placements_[i])) view_.entries[i].remarks.push_back(remark);
            }
        }
    }

    /// Adds each violation of a course to the row of the course, also when the course has no lecture in the timetable.
    void remarkCourses() {
        for (std::size_t remark = 0; remark < violations_.size(); ++remark) {
            const Violation& violation = violations_[remark];
            if (violation.course < 0) continue;
            itemOf(violation.course).remarks.push_back(remark);
            if (violation.otherCourse >= 0) itemOf(violation.otherCourse).remarks.push_back(remark);
            if (violation.period >= 0 || violation.day >= 0) continue;
            for (const int week : weeksOf(violation.course)) weekOf(week).remarks.push_back(remark);
        }
    }

    void gatherRemarks() {
        for (int index = 0; index < static_cast<int>(view_.weeks.size()); ++index) {
            WeekView& week = weekOf(index);
            for (const std::size_t entry : week.entries) {
                const std::vector<std::size_t>& more = view_.entries[entry].remarks;
                std::copy_if(more.begin(), more.end(), std::back_inserter(week.remarks), [&](std::size_t remark) {
                    const int curriculum = violations_[remark].curriculum;
                    const int teacher = violations_[remark].teacher;
                    if (teacher >= 0) return firstTeacher_ + teacher == index;
                    return week.kind != WeekKind::Curriculum || curriculum < 0 || firstCurriculum_ + curriculum == index;
                });
            }
            sortOnce(week.remarks);
        }
        for (std::size_t i = 0; i < placements_.size(); ++i) {
            std::vector<std::size_t>& remarks = itemOf(placements_[i].course).remarks;
            remarks.insert(remarks.end(), view_.entries[i].remarks.begin(), view_.entries[i].remarks.end());
        }
        for (ItemRow& item : view_.items) sortOnce(item.remarks);
    }

    static void sortOnce(std::vector<std::size_t>& remarks) {
        std::sort(remarks.begin(), remarks.end());
        remarks.erase(std::unique(remarks.begin(), remarks.end()), remarks.end());
    }

    const Problem& problem_;
    std::vector<Placement> placements_;    ///< sorted by course and time
    std::vector<Violation> violations_;
    int firstTeacher_;
    int firstCurriculum_;
    int firstCourse_;
    TimetableView view_;
};

}    // namespace

Examination examine(const Problem& problem, const Solution& solution) { return examine(problem, findViolations(problem, solution)); }

TimetableView makeView(const Problem& problem, const Solution& solution) { return ViewMaker(problem, solution).make(); }

}    // namespace timetabling::curriculum
