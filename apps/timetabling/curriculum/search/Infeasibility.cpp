#include <ferry/apps/timetabling/curriculum/search/Infeasibility.hpp>

#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/search/PeriodMatching.hpp>

namespace timetabling::curriculum {

namespace {

std::vector<int> upTo(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

std::string listOf(const Problem& problem, std::span<const int> courses) {
    constexpr std::size_t MostNames = 8;
    std::string text;
    for (std::size_t i = 0; i < courses.size() && i < MostNames; ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", problem.course(courses[i]).id);
    }
    if (courses.size() > MostNames) text += fmt::format(" and {} more", courses.size() - MostNames);
    return text;
}

/// The courses of one teacher or curriculum need a period each for all their lectures.
std::optional<std::string> findCrowdedGroup(const Problem& problem, const std::string& group, std::span<const int> courses,
                                            std::span<const int> periods) {
    const PeriodMatching matching(problem, courses, 1, periods);
    if (matching.isComplete()) return std::nullopt;
    const std::vector<int>& crowded = matching.crowdedCourses();
    const std::string subject =
        crowded.size() == courses.size() && crowded.size() > 1 ? "all its courses" : "courses " + listOf(problem, crowded);
    return fmt::format("{} has {} lectures in {} but only {} periods are open to them", group, matching.crowdedLectures(), subject,
                       matching.crowdedPlaces());
}

}    // namespace

std::optional<std::string> findInfeasibility(const Problem& problem) {
    for (int course = 0; course < problem.courseCount(); ++course) {
        const auto open = problem.availablePeriods(course).size();
        const int lectures = problem.course(course).lectureCount;
        if (static_cast<std::size_t>(lectures) > open) {
            return fmt::format("course {} has {} lectures but only {} periods are open to it", problem.course(course).id, lectures, open);
        }
    }
    const int places = problem.roomCount() * problem.periodCount();
    if (problem.lectureCount() > places) {
        return fmt::format("there are {} lectures but only {} places: {} rooms x {} periods", problem.lectureCount(), places,
                           problem.roomCount(), problem.periodCount());
    }
    const std::vector<int> periods = upTo(problem.periodCount());
    for (const Teacher& teacher : problem.teachers()) {
        if (auto proof = findCrowdedGroup(problem, "teacher " + teacher.id, teacher.courses, periods)) return proof;
    }
    for (const Curriculum& curriculum : problem.instance().curricula) {
        if (auto proof = findCrowdedGroup(problem, "curriculum " + curriculum.id, curriculum.courses, periods)) return proof;
    }
    const PeriodMatching all(problem, upTo(problem.courseCount()), problem.roomCount(), periods);
    if (!all.isComplete()) {
        return fmt::format("courses {} have {} lectures but the periods that are open to them have places for only {} in {} rooms",
                           listOf(problem, all.crowdedCourses()), all.crowdedLectures(), all.crowdedPlaces(), problem.roomCount());
    }
    return std::nullopt;
}

std::string describeConflicts(const Problem& problem, const Slots& slots) {
    constexpr int MostShown = 3;
    int count = 0;
    std::string text;
    for (const Violation& violation : findViolations(problem, toSolution(problem, slots))) {
        if (!isHard(violation.constraint)) continue;
        if (count < MostShown) text += fmt::format("{}{}", count == 0 ? "" : "; ", describe(problem, violation));
        ++count;
    }
    if (count > MostShown) text += fmt::format("; and {} more", count - MostShown);
    return text;
}

}    // namespace timetabling::curriculum
