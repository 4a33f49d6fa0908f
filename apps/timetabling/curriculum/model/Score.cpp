#include <ferry/apps/timetabling/curriculum/model/Score.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/DayPattern.hpp>
#include <ferry/apps/timetabling/curriculum/model/ownRuleViolations.hpp>
#include <ferry/apps/timetabling/curriculum/model/wording.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

namespace {

/// Walks through a timetable once per constraint, and lists all violations.
class Examination {
public:
    Examination(const Problem& problem, const Solution& solution);
    std::vector<Violation> takeViolations() && { return std::move(violations_); }

private:
    std::size_t courseAt(int course, int period) const {
        return static_cast<std::size_t>(course) * static_cast<std::size_t>(problem_.periodCount()) + static_cast<std::size_t>(period);
    }
    bool isPlaced(int course, int period) const { return isPlaced_[courseAt(course, period)]; }

    void dropRepetitions(const Solution& solution);
    void findLectures();
    void findConflicts();
    void findAvailability();
    void findRoomOccupancy();
    void findRoomCapacity();
    void findWorkingDays();
    void findCompactness();
    void findRoomStability();
    void findCurriculumDays();
    int changesOfBuilding(int curriculum, int period) const;
    void findDoubleLectures();
    void findUnsuitableRooms(Constraint constraint, int amount);

    const Problem& problem_;
    const Weights& weights_;
    std::vector<int> roomAt_;                          ///< indexed by course and period: the room, or -1 for none
    std::vector<Placement> placements_;                ///< without repeated lectures of a course in one period
    std::vector<bool> isPlaced_;                       ///< indexed by course and period
    std::vector<std::vector<int>> coursesInPeriod_;    ///< indexed by period
    std::vector<Violation> violations_;
};

Examination::Examination(const Problem& problem, const Solution& solution)
    : problem_(problem),
      weights_(problem.weights()),
      roomAt_(static_cast<std::size_t>(problem.courseCount()) * static_cast<std::size_t>(problem.periodCount()), -1),
      isPlaced_(static_cast<std::size_t>(problem.courseCount()) * static_cast<std::size_t>(problem.periodCount()), false),
      coursesInPeriod_(static_cast<std::size_t>(problem.periodCount())) {
    dropRepetitions(solution);
    findLectures();
    findConflicts();
    findAvailability();
    findRoomOccupancy();
    if (weights_.isRoomSuitabilityHard) findUnsuitableRooms(Constraint::RoomRequirement, 1);
    findRoomCapacity();
    if (weights_.minWorkingDays > 0) findWorkingDays();
    if (weights_.compactness > 0) findCompactness();
    if (weights_.roomStability > 0) findRoomStability();
    if (weights_.windows > 0 || weights_.dailyLoad > 0 || weights_.travelDistance > 0) findCurriculumDays();
    if (weights_.doubleLectures > 0) findDoubleLectures();
    if (weights_.roomSuitability > 0) findUnsuitableRooms(Constraint::RoomSuitability, weights_.roomSuitability);
    if (weights_.haveOwnRules()) {
        const std::vector<Violation> own = findOwnRuleViolations(problem, std::vector<std::uint8_t>(isPlaced_.begin(), isPlaced_.end()));
        violations_.insert(violations_.end(), own.begin(), own.end());
    }
    std::stable_sort(violations_.begin(), violations_.end(),
                     [](const Violation& a, const Violation& b) { return a.constraint < b.constraint; });
}

void Examination::dropRepetitions(const Solution& solution) {
    for (const Placement& placement : solution.placements) {
        if (isPlaced(placement.course, placement.period)) continue;
        isPlaced_[courseAt(placement.course, placement.period)] = true;
        roomAt_[courseAt(placement.course, placement.period)] = placement.room;
        coursesInPeriod_[static_cast<std::size_t>(placement.period)].push_back(placement.course);
        placements_.push_back(placement);
    }
}

void Examination::findLectures() {
    std::vector<int> lectureCount(static_cast<std::size_t>(problem_.courseCount()), 0);
    for (const Placement& placement : placements_) ++lectureCount[static_cast<std::size_t>(placement.course)];
    for (int course = 0; course < problem_.courseCount(); ++course) {
        const int found = lectureCount[static_cast<std::size_t>(course)];
        const int expected = problem_.course(course).lectureCount;
        if (found == expected) continue;
        const int difference = found < expected ? expected - found : found - expected;
        violations_.push_back({.constraint = Constraint::Lectures, .amount = difference, .course = course, .found = found});
    }
}

void Examination::findConflicts() {
    for (int period = 0; period < problem_.periodCount(); ++period) {
        std::vector<int>& courses = coursesInPeriod_[static_cast<std::size_t>(period)];
        std::sort(courses.begin(), courses.end());
        for (std::size_t i = 0; i < courses.size(); ++i) {
            for (std::size_t j = i + 1; j < courses.size(); ++j) {
                if (!problem_.areInConflict(courses[i], courses[j])) continue;
                violations_.push_back(
                    {.constraint = Constraint::Conflicts, .amount = 1, .course = courses[i], .otherCourse = courses[j], .period = period});
            }
        }
    }
}

void Examination::findAvailability() {
    for (const Placement& placement : placements_) {
        if (!problem_.isRoomOpen(placement.room, placement.period))
            violations_.push_back({.constraint = Constraint::Availability,
                                   .amount = 1,
                                   .course = placement.course,
                                   .room = placement.room,
                                   .period = placement.period});
        if (problem_.isAvailable(placement.course, placement.period)) continue;
        violations_.push_back(
            {.constraint = Constraint::Availability, .amount = 1, .course = placement.course, .period = placement.period});
    }
}

void Examination::findRoomOccupancy() {
    std::vector<int> lectureCount(static_cast<std::size_t>(problem_.slotCount()), 0);
    for (const Placement& placement : placements_) {
        ++lectureCount[static_cast<std::size_t>(problem_.slotOf(placement.period, placement.room))];
    }
    for (int slot = 0; slot < problem_.slotCount(); ++slot) {
        const int found = lectureCount[static_cast<std::size_t>(slot)];
        if (found <= 1) continue;
        violations_.push_back({.constraint = Constraint::RoomOccupancy,
                               .amount = found - 1,
                               .room = problem_.roomOfSlot(slot),
                               .period = problem_.periodOfSlot(slot),
                               .found = found});
    }
}

void Examination::findRoomCapacity() {
    for (const Placement& placement : placements_) {
        const int missing = problem_.missingSeats(placement.course, placement.room);
        if (missing == 0) continue;
        violations_.push_back({.constraint = Constraint::RoomCapacity,
                               .amount = std::int64_t{missing} * weights_.roomCapacity,
                               .course = placement.course,
                               .room = placement.room,
                               .period = placement.period,
                               .found = missing});
    }
}

void Examination::findWorkingDays() {
    for (int course = 0; course < problem_.courseCount(); ++course) {
        int found = 0;
        for (int day = 0; day < problem_.dayCount(); ++day) {
            bool isUsed = false;
            for (int i = 0; i < problem_.periodsPerDay(); ++i) isUsed = isUsed || isPlaced(course, day * problem_.periodsPerDay() + i);
            found += isUsed ? 1 : 0;
        }
        const int missing = problem_.course(course).minWorkingDays - found;
        if (missing <= 0) continue;
        violations_.push_back({.constraint = Constraint::MinWorkingDays,
                               .amount = std::int64_t{missing} * weights_.minWorkingDays,
                               .course = course,
                               .found = found});
    }
}

void Examination::findCompactness() {
    std::vector<bool> isBusy(static_cast<std::size_t>(problem_.periodCount()));
    for (int curriculum = 0; curriculum < problem_.curriculumCount(); ++curriculum) {
        isBusy.assign(isBusy.size(), false);
        for (const int course : problem_.curriculum(curriculum).courses) {
            for (int period = 0; period < problem_.periodCount(); ++period) {
                if (isPlaced(course, period)) isBusy[static_cast<std::size_t>(period)] = true;
            }
        }
        for (int period = 0; period < problem_.periodCount(); ++period) {
            const auto at = static_cast<std::size_t>(period);
            if (!isBusy[at]) continue;
            const bool hasBefore = problem_.periodOfDay(period) > 0 && isBusy[at - 1];
            const bool hasAfter = problem_.periodOfDay(period) + 1 < problem_.periodsPerDay() && isBusy[at + 1];
            if (hasBefore || hasAfter) continue;
            violations_.push_back({.constraint = Constraint::CurriculumCompactness,
                                   .amount = weights_.compactness,
                                   .curriculum = curriculum,
                                   .period = period});
        }
    }
}

void Examination::findRoomStability() {
    std::vector<std::vector<int>> roomsOfCourse(static_cast<std::size_t>(problem_.courseCount()));
    for (const Placement& placement : placements_) roomsOfCourse[static_cast<std::size_t>(placement.course)].push_back(placement.room);
    for (int course = 0; course < problem_.courseCount(); ++course) {
        std::vector<int>& rooms = roomsOfCourse[static_cast<std::size_t>(course)];
        std::sort(rooms.begin(), rooms.end());
        const auto found = std::unique(rooms.begin(), rooms.end()) - rooms.begin();
        if (found <= 1) continue;
        violations_.push_back({.constraint = Constraint::RoomStability,
                               .amount = (found - 1) * weights_.roomStability,
                               .course = course,
                               .found = static_cast<int>(found)});
    }
}

void Examination::findCurriculumDays() {
    for (int curriculum = 0; curriculum < problem_.curriculumCount(); ++curriculum) {
        for (int day = 0; day < problem_.dayCount(); ++day) {
            std::uint64_t pattern = 0;
            int lectures = 0;
            int changes = 0;
            for (int i = 0; i < problem_.periodsPerDay(); ++i) {
                const int period = day * problem_.periodsPerDay() + i;
                for (const int course : problem_.curriculum(curriculum).courses) {
                    if (!isPlaced(course, period)) continue;
                    pattern |= std::uint64_t{1} << i;
                    ++lectures;
                }
                if (i > 0) changes += changesOfBuilding(curriculum, period);
            }
            const int excess = loadExcess(lectures, problem_.instance().minDailyLectures, problem_.instance().maxDailyLectures);
            const auto add = [&](Constraint constraint, int weight, int amount, int found) {
                if (weight == 0 || amount == 0) return;
                violations_.push_back({.constraint = constraint,
                                       .amount = std::int64_t{amount} * weight,
                                       .curriculum = curriculum,
                                       .day = day,
                                       .found = found});
            };
            add(Constraint::Windows, weights_.windows, windowPeriods(pattern), windowPeriods(pattern));
            add(Constraint::DailyLoad, weights_.dailyLoad, excess, lectures);
            add(Constraint::TravelDistance, weights_.travelDistance, changes, changes);
        }
    }
}

/// Number of pairs of lectures of the curriculum in different buildings: one in the previous period, one in this period.
int Examination::changesOfBuilding(int curriculum, int period) const {
    const std::vector<int>& courses = problem_.curriculum(curriculum).courses;
    int changes = 0;
    for (const int before : courses) {
        if (!isPlaced(before, period - 1)) continue;
        const int building = problem_.room(roomAt_[courseAt(before, period - 1)]).building;
        for (const int after : courses) {
            if (isPlaced(after, period) && problem_.room(roomAt_[courseAt(after, period)]).building != building) ++changes;
        }
    }
    return changes;
}

void Examination::findDoubleLectures() {
    for (int course = 0; course < problem_.courseCount(); ++course) {
        if (!problem_.course(course).wantsDoubleLectures) continue;
        for (int day = 0; day < problem_.dayCount(); ++day) {
            const auto first = roomAt_.begin() + static_cast<std::ptrdiff_t>(courseAt(course, day * problem_.periodsPerDay()));
            const int found = loneLectures({&*first, static_cast<std::size_t>(problem_.periodsPerDay())});
            if (found == 0) continue;
            violations_.push_back({.constraint = Constraint::DoubleLectures,
                                   .amount = std::int64_t{found} * weights_.doubleLectures,
                                   .course = course,
                                   .day = day,
                                   .found = found});
        }
    }
}

void Examination::findUnsuitableRooms(Constraint constraint, int amount) {
    for (const Placement& placement : placements_) {
        if (problem_.isSuitable(placement.course, placement.room)) continue;
        violations_.push_back(
            {.constraint = constraint, .amount = amount, .course = placement.course, .room = placement.room, .period = placement.period});
    }
}

}    // namespace

std::int64_t Score::violations() const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ConstraintCount; ++i) sum += isHard(static_cast<Constraint>(i)) ? amounts[i] : 0;
    return sum;
}

std::int64_t Score::cost() const {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ConstraintCount; ++i) sum += isHard(static_cast<Constraint>(i)) ? 0 : amounts[i];
    return sum;
}

std::vector<Violation> findViolations(const Problem& problem, const Solution& solution) {
    return Examination(problem, solution).takeViolations();
}

Score scoreOf(const std::vector<Violation>& violations) {
    Score score;
    for (const Violation& violation : violations) score.amounts[static_cast<std::size_t>(violation.constraint)] += violation.amount;
    return score;
}

Score scoreOf(const Problem& problem, const Solution& solution) { return scoreOf(findViolations(problem, solution)); }

std::string describe(const Problem& problem, const Violation& violation) {
    const auto course = [&]() -> const Course& { return problem.course(violation.course); };
    const auto room = [&]() -> const Room& { return problem.room(violation.room); };
    switch (violation.constraint) {
        case Constraint::Lectures:
            return fmt::format("course {} has {} in the timetable, should have {}: {}", course().id, counted(violation.found, "lecture"),
                               course().lectureCount, counted(violation.amount, "violation"));
        case Constraint::Conflicts:
            return fmt::format("courses {} and {} share {} and both meet {}: 1 violation", course().id,
                               problem.course(violation.otherCourse).id, bondOf(problem, violation.course, violation.otherCourse),
                               when(problem, violation.period));
        case Constraint::Availability:
            if (violation.room >= 0)
                return fmt::format("course {} is in room {}, which is closed {}: 1 violation", course().id, room().id,
                                   when(problem, violation.period));
            return fmt::format("course {} is not available {}: 1 violation", course().id, when(problem, violation.period));
        case Constraint::RoomOccupancy:
            return fmt::format("room {} holds {} {}: {}", room().id, counted(violation.found, "lecture"), when(problem, violation.period),
                               counted(violation.amount, "violation"));
        case Constraint::RoomCapacity:
            return fmt::format("course {} has {} but room {} has {} {}: costs {}", course().id, counted(course().studentCount, "student"),
                               room().id, counted(room().seatCount, "seat"), when(problem, violation.period), violation.amount);
        case Constraint::MinWorkingDays:
            return fmt::format("course {} meets on {}, should meet on {} or more: costs {}", course().id, counted(violation.found, "day"),
                               course().minWorkingDays, violation.amount);
        case Constraint::CurriculumCompactness:
            return fmt::format("curriculum {} is isolated {}: costs {}", problem.curriculum(violation.curriculum).id,
                               when(problem, violation.period), violation.amount);
        case Constraint::RoomStability:
            return fmt::format("course {} uses {}: costs {}", course().id, counted(violation.found, "room"), violation.amount);
        case Constraint::Windows:
            return fmt::format("curriculum {} has {} between its lectures on {}: costs {}", problem.curriculum(violation.curriculum).id,
                               counted(violation.found, "empty period"), problem.dayText(violation.day), violation.amount);
        case Constraint::DailyLoad:
            return fmt::format("curriculum {} has {} on {}, should have {} to {}: costs {}", problem.curriculum(violation.curriculum).id,
                               counted(violation.found, "lecture"), problem.dayText(violation.day), problem.instance().minDailyLectures,
                               problem.instance().maxDailyLectures, violation.amount);
        case Constraint::TravelDistance:
            return fmt::format("curriculum {} changes buildings without a break {} on {}: costs {}",
                               problem.curriculum(violation.curriculum).id, counted(violation.found, "time"),
                               problem.dayText(violation.day), violation.amount);
        case Constraint::DoubleLectures:
            return fmt::format("course {} has {} next to no other in the same room on {}: costs {}", course().id,
                               counted(violation.found, "lecture"), problem.dayText(violation.day), violation.amount);
        case Constraint::RoomRequirement:
            return fmt::format("course {} is in room {}, which is not suitable, {}: 1 violation", course().id, room().id,
                               when(problem, violation.period));
        case Constraint::RoomSuitability:
            return fmt::format("course {} is in room {}, which is not suitable, {}: costs {}", course().id, room().id,
                               when(problem, violation.period), violation.amount);
        default: return describeOwnRule(problem, violation);
    }
}

}    // namespace timetabling::curriculum
