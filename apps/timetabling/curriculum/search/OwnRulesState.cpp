#include <ferry/apps/timetabling/curriculum/search/OwnRulesState.hpp>

#include <algorithm>

namespace timetabling::curriculum {

namespace {

template <class T>
void sortOnce(std::vector<T>& numbers) {
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}    // namespace

OwnRulesState::OwnRulesState(const Problem& problem)
    : problem_(problem),
      rules_(problem),
      weights_(problem.weights()),
      dayCount_(static_cast<std::size_t>(problem.dayCount())),
      periodCount_(static_cast<std::size_t>(problem.periodCount())),
      days_(problem.teachers().size() * dayCount_),
      lectures_(problem.teachers().size() * periodCount_, 0),
      daysUsed_(problem.teachers().size(), 0),
      isPlaced_(static_cast<std::size_t>(problem.courseCount()) * periodCount_, 0) {
    for (int course = 0; course < problem.courseCount(); ++course) mostGain_.push_back(boundOf(course));
}

void OwnRulesState::put(int course, int period) {
    isPlaced_[static_cast<std::size_t>(course) * periodCount_ + static_cast<std::size_t>(period)] = 1;
    for (const int teacher : problem_.teachersOf(course)) {
        const auto row = static_cast<std::size_t>(teacher);
        Day& day = days_[row * dayCount_ + static_cast<std::size_t>(problem_.dayOf(period))];
        if (day.lectures++ == 0) ++daysUsed_[row];
        if (lectures_[row * periodCount_ + static_cast<std::size_t>(period)]++ == 0)
            day.periods |= std::uint64_t{1} << problem_.periodOfDay(period);
    }
}

void OwnRulesState::take(int course, int period) {
    isPlaced_[static_cast<std::size_t>(course) * periodCount_ + static_cast<std::size_t>(period)] = 0;
    for (const int teacher : problem_.teachersOf(course)) {
        const auto row = static_cast<std::size_t>(teacher);
        Day& day = days_[row * dayCount_ + static_cast<std::size_t>(problem_.dayOf(period))];
        if (--day.lectures == 0) --daysUsed_[row];
        if (--lectures_[row * periodCount_ + static_cast<std::size_t>(period)] == 0)
            day.periods &= ~(std::uint64_t{1} << problem_.periodOfDay(period));
    }
}

int OwnRulesState::costOf(std::span<const LectureChange> changes) {
    notedDays_.clear();
    notedTeachers_.clear();
    notedOrders_.clear();
    notedCourses_.clear();
    for (const LectureChange& change : changes) note(change);
    sortOnce(notedDays_);
    sortOnce(notedTeachers_);
    sortOnce(notedOrders_);
    sortOnce(notedCourses_);
    const int before = costOfNoted();
    // Clashes count where a lecture is taken or put beside those that are there, so a pair that moves together counts once.
    int clashes = 0;
    for (const LectureChange& change : changes) {
        take(change.course, change.fromPeriod);
        clashes -= clashesOf(change.course, change.fromPeriod);
    }
    for (const LectureChange& change : changes) {
        clashes += clashesOf(change.course, change.toPeriod);
        put(change.course, change.toPeriod);
    }
    const int after = costOfNoted() + weights_.studentClashes * clashes;
    for (const LectureChange& change : changes) take(change.course, change.toPeriod);
    for (const LectureChange& change : changes) put(change.course, change.fromPeriod);
    return after - before;
}

void OwnRulesState::note(const LectureChange& change) {
    if (change.fromPeriod == change.toPeriod) return;
    for (const int teacher : problem_.teachersOf(change.course)) {
        notedTeachers_.push_back(teacher);
        for (const int period : {change.fromPeriod, change.toPeriod})
            notedDays_.push_back(static_cast<std::size_t>(teacher) * dayCount_ + static_cast<std::size_t>(problem_.dayOf(period)));
    }
    if (weights_.lectureOrder > 0) {
        const std::span<const int> orders = rules_.ordersOf(change.course);
        notedOrders_.insert(notedOrders_.end(), orders.begin(), orders.end());
    }
    if (weights_.weeklyTime > 0) notedCourses_.push_back(change.course);
}

int OwnRulesState::costOfNoted() const {
    int cost = 0;
    for (const std::size_t index : notedDays_) {
        const int teacher = static_cast<int>(index / dayCount_);
        const Day& day = days_[index];
        cost += weights_.teacherGaps * OwnRules::gaps(day.periods) + weights_.teacherLoad * rules_.lecturesTooMany(teacher, day.lectures);
        if (weights_.teacherRow > 0) cost += weights_.teacherRow * rules_.lecturesInARowTooMany(teacher, day.periods);
        cost += rules_.missesLunch(day.periods) ? weights_.teacherLunch : 0;
    }
    for (const int teacher : notedTeachers_)
        cost += weights_.teacherDays * std::max(0, daysUsed_[static_cast<std::size_t>(teacher)] - rules_.limitsOf(teacher).mostDays);
    for (const int index : notedOrders_) {
        const CourseOrder& order = problem_.instance().orders[static_cast<std::size_t>(index)];
        cost += weights_.lectureOrder * OwnRules::pairsInWrongOrder(rowOf(order.before), rowOf(order.after));
    }
    for (const int course : notedCourses_) cost += weights_.weeklyTime * rules_.lecturesAtOtherTimes(rowOf(course));
    return cost;
}

/// Number of students of the course who have another lecture in the period, once for each of these lectures.
int OwnRulesState::clashesOf(int course, int period) const {
    if (weights_.studentClashes == 0) return 0;
    int clashes = 0;
    for (const auto& [other, count] : rules_.sharedBy(course))
        clashes += isPlaced_[static_cast<std::size_t>(other) * periodCount_ + static_cast<std::size_t>(period)] != 0 ? count : 0;
    return clashes;
}

/// A lecture that moves changes two days of each of its teachers, its pairs with lectures of other courses, and its weekly times.
int OwnRulesState::boundOf(int course) const {
    const int periods = problem_.periodsPerDay();
    const int ofTeacher = 2 * periods * (weights_.teacherGaps + weights_.teacherRow) + 2 * (weights_.teacherLoad + weights_.teacherLunch) +
                          weights_.teacherDays;
    int bound = ofTeacher * static_cast<int>(problem_.teachersOf(course).size());
    for (const int index : rules_.ordersOf(course)) {
        const CourseOrder& order = problem_.instance().orders[static_cast<std::size_t>(index)];
        bound += weights_.lectureOrder * problem_.course(order.before == course ? order.after : order.before).lectureCount;
    }
    for (const auto& [other, count] : rules_.sharedBy(course)) bound += weights_.studentClashes * count;
    return bound + 2 * rules_.weekCount() * weights_.weeklyTime;
}

}    // namespace timetabling::curriculum
