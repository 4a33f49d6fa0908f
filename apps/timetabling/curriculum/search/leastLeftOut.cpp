#include <ferry/apps/timetabling/curriculum/search/leastLeftOut.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <ferry/apps/timetabling/curriculum/search/Demand.hpp>
#include <ferry/apps/timetabling/curriculum/search/MostPlaced.hpp>
#include <ferry/apps/timetabling/curriculum/search/PeriodMatching.hpp>
#include <ferry/apps/timetabling/curriculum/search/PeriodSearch.hpp>

namespace timetabling::curriculum {

namespace {

/// The search is recursive, with a level for each lecture.
constexpr int mostSearchedLectures = 5000;

/// Counts the lectures of the courses that find no place, however the others are placed. A course has one lecture in a period at most.
int lecturesWithoutPlace(const Problem& problem, std::span<const int> courses, const std::vector<int>& placesIn) {
    std::vector<std::vector<int>> coursesIn(static_cast<std::size_t>(problem.periodCount()));
    std::vector<bool> isSeen;
    const auto find = [&](const auto& self, int course) -> bool {
        for (const int period : problem.availablePeriods(course)) {
            const auto at = static_cast<std::size_t>(period);
            std::vector<int>& there = coursesIn[at];
            if (isSeen[at] || std::find(there.begin(), there.end(), course) != there.end()) continue;
            isSeen[at] = true;
            if (static_cast<int>(there.size()) < placesIn[at]) {
                there.push_back(course);
                return true;
            }
            for (std::size_t i = 0; i < there.size(); ++i) {
                const int other = coursesIn[at][i];
                if (!self(self, other)) continue;
                *std::find(coursesIn[at].begin(), coursesIn[at].end(), other) = course;
                return true;
            }
        }
        return false;
    };
    int without = 0;
    for (const int course : courses) {
        for (int i = 0; i < problem.course(course).lectureCount; ++i) {
            isSeen.assign(coursesIn.size(), false);
            if (find(find, course)) continue;
            without += problem.course(course).lectureCount - i;    // the other lectures of the course find no place either
            break;
        }
    }
    return without;
}

/// Adds up the lectures without places of teachers and curricula that have no course in common.
int leftOutOfGroups(const Problem& problem) {
    std::vector<std::pair<int, std::span<const int>>> groups;
    const std::vector<int> onePlace(static_cast<std::size_t>(problem.periodCount()), 1);
    const auto add = [&](const std::vector<int>& courses) {
        const int without = lecturesWithoutPlace(problem, courses, onePlace);
        if (without > 0) groups.emplace_back(without, courses);
    };
    for (const Teacher& teacher : problem.teachers()) add(teacher.courses);
    for (const Curriculum& curriculum : problem.instance().curricula) add(curriculum.courses);
    std::stable_sort(groups.begin(), groups.end(), [](const auto& one, const auto& other) { return one.first > other.first; });
    std::vector<bool> isTaken(static_cast<std::size_t>(problem.courseCount()), false);
    int sum = 0;
    for (const auto& [without, courses] : groups) {
        if (std::any_of(courses.begin(), courses.end(), [&](int course) { return isTaken[static_cast<std::size_t>(course)]; })) continue;
        sum += without;
        for (const int course : courses) isTaken[static_cast<std::size_t>(course)] = true;
    }
    return sum;
}

/// Counts the lectures of courses that no room suits.
int homelessLectures(const Problem& problem) {
    if (!problem.weights().isRoomSuitabilityHard) return 0;
    int count = 0;
    for (int course = 0; course < problem.courseCount(); ++course) {
        bool hasRoom = false;
        for (int room = 0; room < problem.roomCount(); ++room) hasRoom = hasRoom || problem.isSuitable(course, room);
        count += hasRoom ? 0 : problem.course(course).lectureCount;
    }
    return count;
}

}    // namespace

int leftOutByCounting(const Problem& problem) {
    std::vector<int> all(static_cast<std::size_t>(problem.courseCount()));
    std::iota(all.begin(), all.end(), 0);
    const int ofWeek = lecturesWithoutPlace(problem, all, PeriodMatching::placesOf(problem));
    return std::max({ofWeek, leftOutOfGroups(problem), homelessLectures(problem)});
}

LeastLeftOut findLeastLeftOut(const Problem& problem, int most, const Budget& budget, const StopHook& stop) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const StopHook isOver = [&] {
        if (stop && stop()) return true;
        return budget.seconds > 0 && std::chrono::duration<double>(Clock::now() - begin).count() >= budget.seconds;
    };
    LeastLeftOut least{leftOutByCounting(problem)};
    if (problem.lectureCount() > mostSearchedLectures) return least;
    const std::int64_t decisions = budget.moves > 0 ? budget.moves : std::numeric_limits<std::int64_t>::max();
    PeriodSearch search(problem);
    for (; least.bound < most; ++least.bound) {
        const PeriodSearch::Outcome outcome = search.run(decisions, least.bound, isOver);
        if (outcome == PeriodSearch::Outcome::Found && !problem.hasPins()) least.slots = slotsOfPeriods(problem, search.coursesIn());
        if (outcome != PeriodSearch::Outcome::Impossible) break;
    }
    return least;
}

}    // namespace timetabling::curriculum
