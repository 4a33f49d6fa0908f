#include <ferry/apps/timetabling/curriculum/search/WeekFilling.hpp>

#include <algorithm>

namespace timetabling::curriculum {

namespace {

constexpr int mostSpare = 4;    ///< weeks with more periods to spare are no groups
constexpr std::int64_t failuresOfRun = 200;

/// The sequence 1, 1, 2, 1, 1, 2, 4, ...
std::int64_t luby(std::int64_t number) {
    std::int64_t size = 1;
    while (size < number + 1) size = 2 * size + 1;
    while (size - 1 != number) {
        size /= 2;
        number %= size;
    }
    return (size + 1) / 2;
}

}    // namespace

WeekFilling::WeekFilling(const Problem& problem, std::uint64_t seed)
    : problem_(problem),
      random_(seed),
      periodCount_(static_cast<std::size_t>(problem.periodCount())),
      groupsOf_(static_cast<std::size_t>(problem.courseCount())),
      courseWeights_(static_cast<std::size_t>(problem.courseCount()), 1.0) {
    for (const Teacher& teacher : problem.teachers()) addGroup(teacher.courses);
    for (int curriculum = 0; curriculum < problem.curriculumCount(); ++curriculum) addGroup(problem.curriculum(curriculum).courses);
}

/// Adds a group if its week is full, or nearly so.
void WeekFilling::addGroup(const std::vector<int>& courses) {
    int lectures = 0;
    for (const int course : courses) lectures += problem_.course(course).lectureCount;
    int open = 0;
    for (int period = 0; period < problem_.periodCount(); ++period) {
        const bool isOpen = std::any_of(courses.begin(), courses.end(), [&](int course) { return problem_.isAvailable(course, period); });
        if (isOpen && problem_.openRooms(period) > 0) ++open;
    }
    if (open - lectures > mostSpare) return;
    Group group;
    group.courses = courses;
    group.spare = problem_.periodCount() - lectures;
    for (const int course : courses) groupsOf_[static_cast<std::size_t>(course)].push_back(static_cast<int>(groups_.size()));
    groups_.push_back(std::move(group));
}

std::vector<std::vector<int>> WeekFilling::coursesIn() const {
    std::vector<std::vector<int>> courses(periodCount_);
    for (int course = 0; course < problem_.courseCount(); ++course) {
        for (int period = 0; period < problem_.periodCount(); ++period) {
            if (isIn_[cellOf(course, period)]) courses[static_cast<std::size_t>(period)].push_back(course);
        }
    }
    return courses;
}

WeekFilling::Outcome WeekFilling::run(const Budget& budget, const StopHook& stop) {
    BudgetMeter meter(budget, stop);
    for (std::int64_t attempt = 0;; ++attempt) {
        const Outcome outcome = searchOnce(failuresOfRun * luby(attempt), meter);
        if (outcome != Outcome::GaveUp || meter.hasEnded()) return outcome;
    }
}

/// Takes all lectures out, and puts the pinned ones in. False when these leave no solution.
bool WeekFilling::begin() {
    const auto courses = static_cast<std::size_t>(problem_.courseCount());
    isOpen_.assign(courses * periodCount_, true);
    isIn_.assign(courses * periodCount_, false);
    openCounts_.assign(courses, problem_.periodCount());
    restCounts_.clear();
    for (int course = 0; course < problem_.courseCount(); ++course) restCounts_.push_back(problem_.course(course).lectureCount);
    lectureCounts_.assign(periodCount_, 0);
    candidates_.clear();
    for (Group& group : groups_) {
        candidates_.insert(candidates_.end(), periodCount_, static_cast<int>(group.courses.size()));
        group.empty = 0;
    }
    isCovered_.assign(groups_.size() * periodCount_, false);
    steps_.clear();
    forced_.clear();
    for (int course = 0; course < problem_.courseCount(); ++course) {
        for (int period = 0; period < problem_.periodCount(); ++period) {
            const bool isOut = !problem_.isAvailable(course, period) || problem_.openRooms(period) == 0 ||
                               restCounts_[static_cast<std::size_t>(course)] == 0;
            if (isOut && !close(course, period)) return false;
        }
    }
    for (const Pin& pin : problem_.instance().published.pins) {
        if (!isIn_[cellOf(pin.course, pin.period)] && (!isOpen_[cellOf(pin.course, pin.period)] || !place(pin.course, pin.period)))
            return false;
    }
    for (std::size_t course = 0; course < courses; ++course) {
        if (openCounts_[course] < restCounts_[course]) return false;
        if (openCounts_[course] == restCounts_[course] && restCounts_[course] > 0) forced_.push_back({static_cast<int>(course), -1, -1});
    }
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        if (groups_[group].spare < 0) return false;
    }
    return propagate();
}

WeekFilling::Outcome WeekFilling::searchOnce(std::int64_t mostFailures, BudgetMeter& meter) {
    if (!begin()) return Outcome::Impossible;
    std::vector<Decision> decisions;
    std::int64_t failures = 0;
    std::int64_t counted = moves_;
    for (;;) {
        Decision decision;
        if (!decide(decision)) return Outcome::Found;
        decision.steps = steps_.size();
        decisions.push_back(decision);
        bool isGood = place(decision.course, decision.period) && propagate();
        while (!isGood) {
            ++failures;
            if (decisions.empty()) return Outcome::Impossible;
            const Decision last = decisions.back();
            decisions.pop_back();
            undo(last.steps);
            isGood = close(last.course, last.period) && propagate();
        }
        if (moves_ - counted < BudgetMeter::MovesPerCheck) continue;
        const bool hasEnded = meter.hasEndedAfter(moves_ - counted);
        counted = moves_;
        if (hasEnded || failures >= mostFailures) return Outcome::GaveUp;
    }
}

/// Puts a lecture of the course into an open period. False when no solution is left.
bool WeekFilling::place(int course, int period) {
    ++moves_;
    const std::size_t cell = cellOf(course, period);
    steps_.push_back({course, period, true});
    isOpen_[cell] = false;
    isIn_[cell] = true;
    --openCounts_[static_cast<std::size_t>(course)];
    const int rest = --restCounts_[static_cast<std::size_t>(course)];
    const int lectures = ++lectureCounts_[static_cast<std::size_t>(period)];
    for (const int group : groupsOf_[static_cast<std::size_t>(course)]) {
        isCovered_[groupCell(group, period)] = true;
        --candidates_[groupCell(group, period)];
    }
    for (const int other : problem_.conflictingCourses(course)) {
        if (isOpen_[cellOf(other, period)] && !close(other, period)) return false;
    }
    for (int other = 0; lectures == problem_.openRooms(period) && other < problem_.courseCount(); ++other) {
        if (isOpen_[cellOf(other, period)] && !close(other, period)) return false;
    }
    for (int other = 0; rest == 0 && other < problem_.periodCount(); ++other) {
        if (isOpen_[cellOf(course, other)] && !close(course, other)) return false;
    }
    return true;
}

/// Closes an open period to the course. False when no solution is left.
bool WeekFilling::close(int course, int period) {
    ++moves_;
    steps_.push_back({course, period, false});
    isOpen_[cellOf(course, period)] = false;
    const int open = --openCounts_[static_cast<std::size_t>(course)];
    const int rest = restCounts_[static_cast<std::size_t>(course)];
    bool isGood = open >= rest;
    if (!isGood) courseWeights_[static_cast<std::size_t>(course)] += 1;
    if (open == rest && rest > 0) forced_.push_back({course, -1, -1});
    for (const int number : groupsOf_[static_cast<std::size_t>(course)]) {
        Group& group = groups_[static_cast<std::size_t>(number)];
        const int left = --candidates_[groupCell(number, period)];
        if (isCovered_[groupCell(number, period)]) continue;
        if (left == 1 && group.empty == group.spare) forced_.push_back({-1, number, period});
        if (left > 0) continue;
        ++group.empty;
        if (group.empty > group.spare) {
            isGood = false;
            group.weight += 1;
        }
        for (int other = 0; group.empty == group.spare && other < problem_.periodCount(); ++other) {
            if (candidates_[groupCell(number, other)] == 1 && !isCovered_[groupCell(number, other)]) forced_.push_back({-1, number, other});
        }
    }
    return isGood;
}

/// Makes all that follows from the steps so far. False when no solution is left.
bool WeekFilling::propagate() {
    while (!forced_.empty()) {
        const Forced next = forced_.back();
        forced_.pop_back();
        if (next.course >= 0) {
            for (int period = 0; period < problem_.periodCount(); ++period) {
                if (!isOpen_[cellOf(next.course, period)]) continue;
                if (openCounts_[static_cast<std::size_t>(next.course)] > restCounts_[static_cast<std::size_t>(next.course)]) break;
                if (!place(next.course, period)) return false;
            }
            continue;
        }
        if (isCovered_[groupCell(next.group, next.period)]) continue;
        for (const int course : groups_[static_cast<std::size_t>(next.group)].courses) {
            if (!isOpen_[cellOf(course, next.period)]) continue;
            if (!place(course, next.period)) return false;
            break;
        }
    }
    return true;
}

void WeekFilling::undo(std::size_t steps) {
    forced_.clear();
    while (steps_.size() > steps) {
        const Step step = steps_.back();
        steps_.pop_back();
        const std::size_t cell = cellOf(step.course, step.period);
        isOpen_[cell] = true;
        ++openCounts_[static_cast<std::size_t>(step.course)];
        if (step.isPlaced) {
            isIn_[cell] = false;
            ++restCounts_[static_cast<std::size_t>(step.course)];
            --lectureCounts_[static_cast<std::size_t>(step.period)];
        }
        for (const int number : groupsOf_[static_cast<std::size_t>(step.course)]) {
            const int before = candidates_[groupCell(number, step.period)]++;
            if (step.isPlaced) {
                isCovered_[groupCell(number, step.period)] = false;
            } else if (before == 0 && !isCovered_[groupCell(number, step.period)]) {
                --groups_[static_cast<std::size_t>(number)].empty;
            }
        }
    }
}

/// Chooses the next lecture: of the course or the period of a full week that has the fewest ways, for its failures. False when all lectures
/// are placed.
bool WeekFilling::decide(Decision& decision) {
    double best = 0;
    int bestCourse = -1;
    int bestGroup = -1;
    int bestPeriod = -1;
    int equals = 0;
    const auto isBetter = [&](double score) {
        if (equals > 0 && score > best) return false;
        equals = equals > 0 && score == best ? equals + 1 : 1;
        if (equals > 1 && random_.below(equals) != 0) return false;
        best = score;
        return true;
    };
    for (int course = 0; course < problem_.courseCount(); ++course) {
        const int rest = restCounts_[static_cast<std::size_t>(course)];
        if (rest == 0) continue;
        const double ways = openCounts_[static_cast<std::size_t>(course)] - rest + 1;
        if (!isBetter(ways / courseWeights_[static_cast<std::size_t>(course)])) continue;
        bestCourse = course;
        bestGroup = -1;
    }
    if (bestCourse < 0) return false;
    for (std::size_t number = 0; number < groups_.size(); ++number) {
        const Group& group = groups_[number];
        if (group.empty < group.spare) continue;
        for (int period = 0; period < problem_.periodCount(); ++period) {
            const std::size_t cell = groupCell(static_cast<int>(number), period);
            if (isCovered_[cell] || candidates_[cell] == 0) continue;
            if (!isBetter(candidates_[cell] / group.weight)) continue;
            bestGroup = static_cast<int>(number);
            bestPeriod = period;
        }
    }
    int ties = 0;
    if (bestGroup >= 0) {
        // The course with the fewest periods to spare.
        int least = 0;
        for (const int course : groups_[static_cast<std::size_t>(bestGroup)].courses) {
            if (!isOpen_[cellOf(course, bestPeriod)]) continue;
            const int spare = openCounts_[static_cast<std::size_t>(course)] - restCounts_[static_cast<std::size_t>(course)];
            if (ties > 0 && spare > least) continue;
            ties = ties > 0 && spare == least ? ties + 1 : 1;
            if (ties > 1 && random_.below(ties) != 0) continue;
            least = spare;
            decision.course = course;
        }
        decision.period = bestPeriod;
        return true;
    }
    decision.course = bestCourse;
    for (int period = 0; period < problem_.periodCount(); ++period) {
        if (isOpen_[cellOf(bestCourse, period)] && random_.below(++ties) == 0) decision.period = period;
    }
    return true;
}

}    // namespace timetabling::curriculum
