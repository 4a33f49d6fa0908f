#include <ferry/apps/timetabling/curriculum/search/Infeasibility.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>
#include <ferry/apps/timetabling/curriculum/search/Proof.hpp>

namespace timetabling::curriculum {

namespace {

constexpr std::int64_t mostDecisions = 2000;
constexpr int mostSearchedCourses = 80;    ///< for more courses, only counting is used; a search for a proof would not end
constexpr std::chrono::milliseconds filterLimit{700};
constexpr std::chrono::milliseconds growthLimit{700};

/// The limit for the number of decisions. A decision looks at all courses in all periods, so a very long week gets a lower limit.
std::int64_t decisionsFor(const Problem& problem) {
    constexpr std::int64_t mostLooks = 10'000'000;
    return std::min(mostDecisions, mostLooks / (std::int64_t{problem.courseCount()} * problem.periodCount()));
}

std::optional<Proof> prove(const Problem& problem) {
    return problem.courseCount() <= mostSearchedCourses ? findProof(problem, decisionsFor(problem)) : findProofByCounting(problem);
}

/// Looks for a proof for the problem with these demands only. Returns nothing when this problem would be too large.
std::optional<Proof> proveWith(const Problem& problem, const std::vector<Demand>& demands) {
    if (problem.hasPins()) {
        const auto count = static_cast<std::int64_t>(originsOf(problem, demands).size());
        const std::int64_t mostColumns = std::max(problem.periodCount(), problem.roomCount() + static_cast<int>(count));
        if (count > limits::CourseCount || count * mostColumns > limits::TableCells) return std::nullopt;
    }
    return prove(problemWith(problem, demands));
}

Infeasibility explain(const Problem& problem, const std::vector<int>& courses) {
    const Filtered<Demand> needed = findContradiction(problem, courses);
    Infeasibility result;
    result.isMinimal = needed.isMinimal;
    if (const auto proof = proveWith(problem, needed.items)) result.reason = proof->reason;
    for (const Demand& demand : needed.items) result.demands.push_back(describe(problem, demand, needed.items));
    return result;
}

/// Works like findInfeasibility(), and treats each pinned lecture as a course of its own.
std::optional<Infeasibility> findInfeasibilityByPins(const Problem& problem) {
    std::vector<int> all(static_cast<std::size_t>(problem.courseCount()));
    std::iota(all.begin(), all.end(), 0);
    const std::vector<Demand> demands = demandsOn(problem, all);
    const std::optional<Proof> proof = proveWith(problem, demands);
    if (!proof) return std::nullopt;
    const std::vector<CourseOrigin> origins = originsOf(problem, demands);
    std::vector<int> courses;
    for (const int course : proof->courses) courses.push_back(origins[static_cast<std::size_t>(course)].course);
    std::sort(courses.begin(), courses.end());
    courses.erase(std::unique(courses.begin(), courses.end()), courses.end());
    return explain(problem, courses);
}

/// Returns the courses with hard violations in the timetable.
std::vector<int> clashingCourses(const Problem& problem, const Slots& slots) {
    std::vector<int> courses;
    for (const Violation& violation : findViolations(problem, toSolution(problem, slots))) {
        if (!isHard(violation.constraint)) continue;
        for (const int course : {violation.course, violation.otherCourse}) {
            if (course >= 0) courses.push_back(course);
        }
    }
    std::sort(courses.begin(), courses.end());
    courses.erase(std::unique(courses.begin(), courses.end()), courses.end());
    return courses;
}

/// Adds the course that conflicts with the most lectures of the given courses. False when no course conflicts with any of them.
bool grow(const Problem& problem, std::vector<int>& courses) {
    int best = -1;
    int most = 0;
    for (int course = 0; course < problem.courseCount(); ++course) {
        if (std::find(courses.begin(), courses.end(), course) != courses.end()) continue;
        int lectures = 0;
        for (const int member : courses) lectures += problem.areInConflict(course, member) ? problem.course(member).lectureCount : 0;
        if (lectures <= most) continue;
        most = lectures;
        best = course;
    }
    if (best >= 0) courses.push_back(best);
    return best >= 0;
}

}    // namespace

Filtered<Demand> findContradiction(const Problem& problem, const std::vector<int>& courses) {
    const auto isLectures = [](const Demand& demand) { return demand.kind == Demand::Kind::Lectures || demand.kind == Demand::Kind::Pin; };
    const auto proves = [&](const std::vector<Demand>& demands) {
        return std::any_of(demands.begin(), demands.end(), isLectures) && proveWith(problem, demands).has_value();
    };
    std::vector<Demand> demands = demandsOn(problem, courses);
    for (const Demand::Kind kind : {Demand::Kind::Pin, Demand::Kind::Suitability, Demand::Kind::Curriculum, Demand::Kind::Closures,
                                    Demand::Kind::Teacher, Demand::Kind::Rooms}) {
        std::vector<Demand> rest = demands;
        const auto dropped = std::erase_if(rest, [kind](const Demand& demand) { return demand.kind == kind; });
        if (dropped > 0 && proves(rest)) demands = std::move(rest);
    }
    return deletionFilter(std::move(demands), proves, filterLimit);
}

std::optional<Infeasibility> findInfeasibility(const Problem& problem) {
    if (problem.hasPins()) return findInfeasibilityByPins(problem);
    const std::optional<Proof> proof = prove(problem);
    if (!proof) return std::nullopt;
    return explain(problem, proof->courses);
}

std::optional<Infeasibility> findInfeasibility(const Problem& problem, const Slots& slots) {
    const auto end = std::chrono::steady_clock::now() + growthLimit;
    std::vector<int> courses = clashingCourses(problem, slots);
    while (!courses.empty() && courses.size() <= mostSearchedCourses && std::chrono::steady_clock::now() < end) {
        if (proveWith(problem, demandsOn(problem, courses))) return explain(problem, courses);
        if (!grow(problem, courses)) return std::nullopt;
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
