#include <ferry/apps/timetabling/curriculum/model/ownRuleViolations.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/OwnRules.hpp>
#include <ferry/apps/timetabling/curriculum/model/wording.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

namespace {

class OwnRuleExamination {
public:
    OwnRuleExamination(const Problem& problem, const std::vector<std::uint8_t>& isPlaced)
        : problem_(problem),
          rules_(problem),
          isPlaced_(isPlaced) {}

    std::vector<Violation> find() {
        const Weights& weights = problem_.weights();
        for (int teacher = 0; teacher < static_cast<int>(problem_.teachers().size()); ++teacher) findOfTeacher(teacher);
        for (const CourseOrder& order : problem_.instance().orders) {
            const int found = OwnRules::pairsInWrongOrder(rowOf(order.before), rowOf(order.after));
            add(weights.lectureOrder, found,
                {.constraint = Constraint::LectureOrder, .course = order.after, .otherCourse = order.before, .found = found});
        }
        for (int course = 0; course < problem_.courseCount() && weights.weeklyTime > 0; ++course) {
            const int found = rules_.lecturesAtOtherTimes(rowOf(course));
            add(weights.weeklyTime, found, {.constraint = Constraint::WeeklyTime, .course = course, .found = found});
        }
        for (int course = 0; course < problem_.courseCount() && weights.studentClashes > 0; ++course) {
            for (const auto& [other, count] : rules_.sharedBy(course)) {
                if (other > course) findClashes(course, other, count);
            }
        }
        return std::move(violations_);
    }

private:
    std::span<const std::uint8_t> rowOf(int course) const {
        const auto periods = static_cast<std::size_t>(problem_.periodCount());
        return std::span(isPlaced_).subspan(static_cast<std::size_t>(course) * periods, periods);
    }

    void add(int weight, int amount, Violation violation) {
        if (weight == 0 || amount == 0) return;
        violation.amount = std::int64_t{weight} * amount;
        violations_.push_back(violation);
    }

    void findClashes(int course, int other, int students) {
        for (int period = 0; period < problem_.periodCount(); ++period) {
            const auto at = static_cast<std::size_t>(period);
            if (rowOf(course)[at] == 0 || rowOf(other)[at] == 0) continue;
            add(problem_.weights().studentClashes, students,
                {.constraint = Constraint::StudentClashes, .course = course, .otherCourse = other, .period = period, .found = students});
        }
    }

    void findOfTeacher(int teacher) {
        const Weights& weights = problem_.weights();
        int days = 0;
        for (int day = 0; day < problem_.dayCount(); ++day) {
            std::uint64_t pattern = 0;
            int lectures = 0;
            for (int i = 0; i < problem_.periodsPerDay(); ++i) {
                const auto period = static_cast<std::size_t>(day * problem_.periodsPerDay() + i);
                for (const int course : problem_.teachers()[static_cast<std::size_t>(teacher)].courses) {
                    if (rowOf(course)[period] == 0) continue;
                    pattern |= std::uint64_t{1} << i;
                    ++lectures;
                }
            }
            days += lectures > 0 ? 1 : 0;
            const auto addOfDay = [&](Constraint constraint, int weight, int amount, int found) {
                add(weight, amount, {.constraint = constraint, .day = day, .found = found, .teacher = teacher});
            };
            const int gaps = OwnRules::gaps(pattern);
            addOfDay(Constraint::TeacherGaps, weights.teacherGaps, gaps, gaps);
            addOfDay(Constraint::TeacherLoad, weights.teacherLoad, rules_.lecturesTooMany(teacher, lectures), lectures);
            const int inARow = rules_.lecturesInARowTooMany(teacher, pattern);
            addOfDay(Constraint::TeacherRow, weights.teacherRow, inARow, inARow);
            addOfDay(Constraint::TeacherLunch, weights.teacherLunch, rules_.missesLunch(pattern) ? 1 : 0, 1);
        }
        add(weights.teacherDays, std::max(0, days - rules_.limitsOf(teacher).mostDays),
            {.constraint = Constraint::TeacherDays, .found = days, .teacher = teacher});
    }

    const Problem& problem_;
    OwnRules rules_;
    const std::vector<std::uint8_t>& isPlaced_;
    std::vector<Violation> violations_;
};

}    // namespace

std::vector<Violation> findOwnRuleViolations(const Problem& problem, const std::vector<std::uint8_t>& isPlaced) {
    return OwnRuleExamination(problem, isPlaced).find();
}

std::string describeOwnRule(const Problem& problem, const Violation& violation) {
    const auto teacher = [&] { return "teacher " + problem.teachers()[static_cast<std::size_t>(violation.teacher)].id; };
    const auto limits = [&] {
        for (const TeacherLimits& of : problem.instance().teacherLimits) {
            if (of.teacher == problem.teachers()[static_cast<std::size_t>(violation.teacher)].id) return of;
        }
        return TeacherLimits{};
    };
    switch (violation.constraint) {
        case Constraint::TeacherGaps:
            return fmt::format("{} has {} between lectures on {}: costs {}", teacher(), counted(violation.found, "empty period"),
                               problem.dayText(violation.day), violation.amount);
        case Constraint::TeacherDays:
            return fmt::format("{} has lectures on {}, should have them on at most {}: costs {}", teacher(),
                               counted(violation.found, "day"), limits().mostDays, violation.amount);
        case Constraint::TeacherLoad:
            return fmt::format("{} has {} on {}, should have at most {}: costs {}", teacher(), counted(violation.found, "lecture"),
                               problem.dayText(violation.day), limits().mostDaily, violation.amount);
        case Constraint::TeacherRow:
            return fmt::format("{} has {} too many in a row on {}, should have at most {}: costs {}", teacher(),
                               counted(violation.found, "lecture"), problem.dayText(violation.day), limits().mostInARow, violation.amount);
        case Constraint::TeacherLunch:
            return fmt::format("{} has no free period for lunch on {}: costs {}", teacher(), problem.dayText(violation.day),
                               violation.amount);
        case Constraint::LectureOrder:
            return fmt::format("course {} should be after course {}, but {} of lectures {} not: costs {}",
                               problem.course(violation.course).id, problem.course(violation.otherCourse).id,
                               counted(violation.found, "pair"), violation.found == 1 ? "is" : "are", violation.amount);
        case Constraint::WeeklyTime:
            return fmt::format("course {} has {} without one at the same time in each other week: costs {}",
                               problem.course(violation.course).id, counted(violation.found, "lecture"), violation.amount);
        case Constraint::StudentClashes:
            return fmt::format("courses {} and {} both meet {} and have {} in common: costs {}", problem.course(violation.course).id,
                               problem.course(violation.otherCourse).id, when(problem, violation.period),
                               counted(violation.found, "student"), violation.amount);
        default: return {};
    }
}

}    // namespace timetabling::curriculum
