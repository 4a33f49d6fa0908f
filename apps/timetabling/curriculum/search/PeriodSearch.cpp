#include <ferry/apps/timetabling/curriculum/search/PeriodSearch.hpp>

#include <algorithm>

namespace timetabling::curriculum {

namespace {

constexpr std::int64_t decisionsPerStop = 64;    ///< number of decisions between two questions to the hook

}    // namespace

PeriodSearch::PeriodSearch(const Problem& problem)
    : problem_(problem),
      blocks_(static_cast<std::size_t>(problem.courseCount()) * static_cast<std::size_t>(problem.periodCount()), 0),
      openCounts_(static_cast<std::size_t>(problem.courseCount()), problem.periodCount()),
      lectureCounts_(static_cast<std::size_t>(problem.periodCount()), 0),
      coursesIn_(static_cast<std::size_t>(problem.periodCount())) {
    // A closed room counts as a lecture that is there from the begin.
    for (int period = 0; period < problem.periodCount(); ++period) {
        lectureCounts_[static_cast<std::size_t>(period)] = problem.roomCount() - problem.openRooms(period);
    }
    for (int course = 0; course < problem.courseCount(); ++course) {
        restCounts_.push_back(problem.course(course).lectureCount);
        for (int period = 0; period < problem.periodCount(); ++period) {
            if (!problem.isAvailable(course, period)) block(course, period, 1);
            if (problem.openRooms(period) == 0) block(course, period, 1);
        }
    }
}

PeriodSearch::Outcome PeriodSearch::run(std::int64_t mostDecisions, int mostLeftOut, const StopHook& stop) {
    decisionsLeft_ = mostDecisions;
    mayLeaveOut_ = mostLeftOut;
    stop_ = &stop;
    const std::vector<int> allLectures = restCounts_;
    const Outcome outcome = decide();
    // A solution keeps its lectures in coursesIn_. The search itself begins anew the next time.
    if (outcome == Outcome::Found) {
        const std::vector<std::vector<int>> found = coursesIn_;
        for (int period = 0; period < problem_.periodCount(); ++period) {
            for (const int course : found[static_cast<std::size_t>(period)]) place(course, period, -1);
        }
        coursesIn_ = found;
    }
    restCounts_ = allLectures;
    return outcome;
}

PeriodSearch::Outcome PeriodSearch::decide() {
    const int course = tightestCourse();
    if (course < 0) return Outcome::Found;
    if (const int spare = spareOf(course); spare < 0) {
        if (leastLeftOut() > mayLeaveOut_) return Outcome::Impossible;
        leaveOut(course, -spare);
        const Outcome outcome = decide();
        if (outcome != Outcome::Found) leaveOut(course, spare);
        return outcome;
    }
    if (mayLeaveOut_ > 0 && leastLeftOut() > mayLeaveOut_) return Outcome::Impossible;
    if (decisionsLeft_-- <= 0) return Outcome::GaveUp;
    if (*stop_ && decisionsLeft_ % decisionsPerStop == 0 && (*stop_)()) return Outcome::GaveUp;
    int period = 0;
    while (!isOpen(course, period)) ++period;

    place(course, period, 1);
    const Outcome within = decide();
    if (within == Outcome::Found) return within;
    place(course, period, -1);
    if (within != Outcome::Impossible) return within;

    const std::vector<int> alike = periodsLike(course, period);
    for (const int other : alike) block(course, other, 1);
    const Outcome without = decide();
    for (const int other : alike) block(course, other, -1);
    return without;
}

/// Leaves out this number of lectures of the course. A negative number takes lectures back.
void PeriodSearch::leaveOut(int course, int count) {
    restCounts_[static_cast<std::size_t>(course)] -= count;
    mayLeaveOut_ -= count;
}

/// A number of the remaining lectures that each solution leaves out from here on.
int PeriodSearch::leastLeftOut() const {
    int rest = 0;
    int tooMany = 0;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        const int lectures = restCounts_[static_cast<std::size_t>(course)];
        if (lectures == 0) continue;
        rest += lectures;
        tooMany += std::max(0, -spareOf(course));
    }
    int places = 0;
    for (const int lectures : lectureCounts_) places += problem_.roomCount() - lectures;
    return std::max(tooMany, rest - places);
}

/// Returns the course with the fewest periods to spare. Among equals, the course with the most remaining lectures wins.
/// -1: every lecture has its period.
int PeriodSearch::tightestCourse() const {
    int tightest = -1;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        const int rest = restCounts_[static_cast<std::size_t>(course)];
        if (rest == 0) continue;
        if (tightest < 0 || spareOf(course) < spareOf(tightest) ||
            (spareOf(course) == spareOf(tightest) && rest > restCounts_[static_cast<std::size_t>(tightest)])) {
            tightest = course;
        }
    }
    return tightest;
}

/// Returns the period and all periods that are equivalent to it for the remaining lectures.
/// When the course cannot be in the period, it cannot be in the equivalent ones either.
std::vector<int> PeriodSearch::periodsLike(int course, int period) const {
    std::vector<int> alike;
    for (int other = period; other < problem_.periodCount(); ++other) {
        if (isOpen(course, other) && areAlike(period, other)) alike.push_back(other);
    }
    return alike;
}

bool PeriodSearch::areAlike(int period, int other) const {
    if (lectureCounts_[static_cast<std::size_t>(period)] != lectureCounts_[static_cast<std::size_t>(other)]) return false;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        if (restCounts_[static_cast<std::size_t>(course)] > 0 && isOpen(course, period) != isOpen(course, other)) return false;
    }
    return true;
}

/// Puts a lecture into the period (sign 1) or removes it (sign -1).
void PeriodSearch::place(int course, int period, int sign) {
    restCounts_[static_cast<std::size_t>(course)] -= sign;
    std::vector<int>& there = coursesIn_[static_cast<std::size_t>(period)];
    if (sign > 0) {
        there.push_back(course);
    } else {
        there.erase(std::find(there.rbegin(), there.rend(), course).base() - 1);
    }
    block(course, period, sign);
    for (const int other : problem_.conflictingCourses(course)) block(other, period, sign);
    int& lectures = lectureCounts_[static_cast<std::size_t>(period)];
    const bool wasFull = lectures == problem_.roomCount();
    lectures += sign;
    if (wasFull == (lectures == problem_.roomCount())) return;
    for (int other = 0; other < problem_.courseCount(); ++other) block(other, period, sign);
}

void PeriodSearch::block(int course, int period, int sign) {
    int& blocks = blocks_[cellOf(course, period)];
    const bool wasOpen = blocks == 0;
    blocks += sign;
    openCounts_[static_cast<std::size_t>(course)] += static_cast<int>(blocks == 0) - static_cast<int>(wasOpen);
}

}    // namespace timetabling::curriculum
