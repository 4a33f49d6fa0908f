#include <ferry/apps/timetabling/curriculum/search/PatternState.hpp>

#include <algorithm>

#include <ferry/apps/timetabling/curriculum/model/DayPattern.hpp>

namespace timetabling::curriculum {

PatternState::PatternState(const Problem& problem)
    : problem_(problem),
      weights_(problem.weights()),
      dayCount_(static_cast<std::size_t>(problem.dayCount())),
      periodsPerDay_(static_cast<std::size_t>(problem.periodsPerDay())),
      days_(static_cast<std::size_t>(problem.curriculumCount()) * dayCount_),
      lectures_(days_.size() * periodsPerDay_, 0),
      roomAt_(static_cast<std::size_t>(problem.courseCount()) * static_cast<std::size_t>(problem.periodCount()), -1) {
    if (weights_.travelDistance == 0) return;
    for (const Room& room : problem.instance().rooms) {
        buildingCount_ = std::max(buildingCount_, static_cast<std::size_t>(room.building) + 1);
    }
    inBuilding_.assign(lectures_.size() * buildingCount_, 0);
}

void PatternState::put(int course, int period, int room) {
    const int day = problem_.dayOf(period);
    const auto periodOfDay = static_cast<std::size_t>(problem_.periodOfDay(period));
    roomAt_[static_cast<std::size_t>(course) * dayCount_ * periodsPerDay_ + static_cast<std::size_t>(period)] = room;
    for (const int curriculum : problem_.curriculaOf(course)) {
        const std::size_t index = dayIndex(curriculum, day);
        const std::size_t at = index * periodsPerDay_ + periodOfDay;
        ++days_[index].lectures;
        if (lectures_[at]++ == 0) days_[index].periods |= std::uint64_t{1} << periodOfDay;
        if (!inBuilding_.empty()) ++inBuilding_[at * buildingCount_ + static_cast<std::size_t>(problem_.room(room).building)];
    }
}

void PatternState::take(int course, int period, int room) {
    const int day = problem_.dayOf(period);
    const auto periodOfDay = static_cast<std::size_t>(problem_.periodOfDay(period));
    roomAt_[static_cast<std::size_t>(course) * dayCount_ * periodsPerDay_ + static_cast<std::size_t>(period)] = -1;
    for (const int curriculum : problem_.curriculaOf(course)) {
        const std::size_t index = dayIndex(curriculum, day);
        const std::size_t at = index * periodsPerDay_ + periodOfDay;
        --days_[index].lectures;
        if (--lectures_[at] == 0) days_[index].periods &= ~(std::uint64_t{1} << periodOfDay);
        if (!inBuilding_.empty()) --inBuilding_[at * buildingCount_ + static_cast<std::size_t>(problem_.room(room).building)];
    }
}

int PatternState::costOf(std::span<const LectureChange> changes) {
    notedDays_.clear();
    notedCourseDays_.clear();
    for (const LectureChange& change : changes) {
        noteDay(change.course, problem_.dayOf(change.fromPeriod));
        noteDay(change.course, problem_.dayOf(change.toPeriod));
    }
    for (std::vector<std::size_t>* noted : {&notedDays_, &notedCourseDays_}) {
        std::sort(noted->begin(), noted->end());
        noted->erase(std::unique(noted->begin(), noted->end()), noted->end());
    }
    const int before = costOfNoted();
    for (const LectureChange& change : changes) take(change.course, change.fromPeriod, change.fromRoom);
    for (const LectureChange& change : changes) put(change.course, change.toPeriod, change.toRoom);
    const int after = costOfNoted();
    for (const LectureChange& change : changes) take(change.course, change.toPeriod, change.toRoom);
    for (const LectureChange& change : changes) put(change.course, change.fromPeriod, change.fromRoom);
    return after - before;
}

void PatternState::noteDay(int course, int day) {
    for (const int curriculum : problem_.curriculaOf(course)) notedDays_.push_back(dayIndex(curriculum, day));
    const bool isDouble = weights_.doubleLectures > 0 && problem_.course(course).wantsDoubleLectures;
    if (isDouble) notedCourseDays_.push_back(static_cast<std::size_t>(course) * dayCount_ + static_cast<std::size_t>(day));
}

int PatternState::costOfNoted() const {
    int cost = 0;
    for (const std::size_t index : notedDays_) cost += costOfCurriculumDay(index);
    for (const std::size_t index : notedCourseDays_) {
        cost += weights_.doubleLectures * loneLectures(std::span(roomAt_).subspan(index * periodsPerDay_, periodsPerDay_));
    }
    return cost;
}

int PatternState::costOfCurriculumDay(std::size_t index) const {
    const Day& day = days_[index];
    const Instance& instance = problem_.instance();
    int cost = weights_.compactness * isolatedPeriods(day.periods) + weights_.windows * windowPeriods(day.periods) +
               weights_.dailyLoad * loadExcess(day.lectures, instance.minDailyLectures, instance.maxDailyLectures);
    if (!inBuilding_.empty()) cost += weights_.travelDistance * changesOfBuilding(index);
    return cost;
}

/// Number of pairs of lectures in neighbouring periods and different buildings.
int PatternState::changesOfBuilding(std::size_t index) const {
    const std::uint64_t periods = days_[index].periods;
    int changes = 0;
    for (std::uint64_t pairs = periods & (periods >> 1); pairs != 0; pairs &= pairs - 1) {
        const std::size_t at = index * periodsPerDay_ + static_cast<std::size_t>(std::countr_zero(pairs));
        changes += lectures_[at] * lectures_[at + 1];
        const std::uint16_t* before = inBuilding_.data() + at * buildingCount_;
        for (std::size_t building = 0; building < buildingCount_; ++building)
            changes -= before[building] * before[buildingCount_ + building];
    }
    return changes;
}

}    // namespace timetabling::curriculum
