#include <ferry/apps/timetabling/curriculum/search/Proof.hpp>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ferry/apps/timetabling/curriculum/search/PeriodMatching.hpp>
#include <ferry/apps/timetabling/curriculum/search/PeriodSearch.hpp>

namespace timetabling::curriculum {

namespace {

std::vector<int> upTo(int count) {
    std::vector<int> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

std::string listOf(const Problem& problem, std::span<const int> courses) {
    constexpr std::size_t MostNames = 8;
    std::string text = courses.size() == 1 ? "course " : "courses ";
    for (std::size_t i = 0; i < courses.size() && i < MostNames; ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", problem.course(courses[i]).id);
    }
    if (courses.size() > MostNames) text += fmt::format(" and {} more", courses.size() - MostNames);
    return text;
}

/// Runs the proofs by counting, one after the other.
class Counting {
public:
    explicit Counting(const Problem& problem) : problem_(problem), periods_(upTo(problem.periodCount())) {}

    std::optional<Proof> find() const {
        if (auto proof = findCrowdedCourse()) return proof;
        if (auto proof = findTooFewPlaces()) return proof;
        if (auto proof = findHomelessCourse()) return proof;
        if (auto proof = findCrowdedGroup()) return proof;
        if (auto proof = findCrowdedWeek()) return proof;
        if (auto proof = findCrowdedRooms()) return proof;
        return findCrowdedClique();
    }

private:
    std::optional<Proof> findCrowdedCourse() const;
    std::optional<Proof> findTooFewPlaces() const;
    std::optional<Proof> findHomelessCourse() const;
    std::optional<Proof> findCrowdedGroup() const;
    std::optional<Proof> findCrowdedWeek() const;
    std::optional<Proof> findCrowdedRooms() const;
    std::optional<Proof> findCrowdedClique() const;
    std::optional<Proof> ofGroup(const std::string& group, std::span<const int> courses) const;
    std::vector<int> cliqueAround(int course) const;

    const Problem& problem_;
    std::vector<int> periods_;
};

std::optional<Proof> Counting::findCrowdedCourse() const {
    for (int course = 0; course < problem_.courseCount(); ++course) {
        const auto open = problem_.availablePeriods(course).size();
        const int lectures = problem_.course(course).lectureCount;
        if (static_cast<std::size_t>(lectures) <= open) continue;
        return Proof{
            fmt::format("course {} has {} lectures but only {} periods are open to it", problem_.course(course).id, lectures, open),
            {course}};
    }
    return std::nullopt;
}

std::optional<Proof> Counting::findTooFewPlaces() const {
    const int places = problem_.openSlotCount();
    if (problem_.lectureCount() <= places) return std::nullopt;
    return Proof{
        fmt::format("there are {} lectures but only {} places: {} rooms x {} periods{}", problem_.lectureCount(), places,
                    problem_.roomCount(), problem_.periodCount(), problem_.hasClosedRooms() ? " without those when rooms are closed" : ""),
        upTo(problem_.courseCount())};
}

std::optional<Proof> Counting::findHomelessCourse() const {
    if (!problem_.weights().isRoomSuitabilityHard) return std::nullopt;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        bool hasRoom = false;
        for (int room = 0; room < problem_.roomCount(); ++room) hasRoom = hasRoom || problem_.isSuitable(course, room);
        if (!hasRoom) return Proof{fmt::format("no room suits course {}", problem_.course(course).id), {course}};
    }
    return std::nullopt;
}

std::optional<Proof> Counting::findCrowdedGroup() const {
    for (const Teacher& teacher : problem_.teachers()) {
        if (auto proof = ofGroup("teacher " + teacher.id, teacher.courses)) return proof;
    }
    for (const Curriculum& curriculum : problem_.instance().curricula) {
        if (auto proof = ofGroup("curriculum " + curriculum.id, curriculum.courses)) return proof;
    }
    return std::nullopt;
}

/// The courses of one teacher or curriculum need different periods for all their lectures.
std::optional<Proof> Counting::ofGroup(const std::string& group, std::span<const int> courses) const {
    const PeriodMatching matching(problem_, courses, 1, periods_);
    if (matching.isComplete()) return std::nullopt;
    const std::vector<int>& crowded = matching.crowdedCourses();
    return Proof{fmt::format("{} has {} lectures in {} but only {} periods are open to them", group, matching.crowdedLectures(),
                             listOf(problem_, crowded), matching.crowdedPlaces()),
                 crowded};
}

std::optional<Proof> Counting::findCrowdedWeek() const {
    const PeriodMatching all(problem_, upTo(problem_.courseCount()), PeriodMatching::placesOf(problem_), periods_);
    if (all.isComplete()) return std::nullopt;
    return Proof{fmt::format("{} have {} lectures but the periods that are open to them have places for only {} in {} rooms",
                             listOf(problem_, all.crowdedCourses()), all.crowdedLectures(), all.crowdedPlaces(), problem_.roomCount()),
                 all.crowdedCourses()};
}

/// Looks for courses that need the same few rooms.
std::optional<Proof> Counting::findCrowdedRooms() const {
    if (!problem_.weights().isRoomSuitabilityHard) return std::nullopt;
    std::vector<std::vector<int>> roomsOf;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        std::vector<int>& rooms = roomsOf.emplace_back();
        for (int room = 0; room < problem_.roomCount(); ++room) {
            if (problem_.isSuitable(course, room)) rooms.push_back(room);
        }
    }
    for (const std::vector<int>& rooms : std::set<std::vector<int>>(roomsOf.begin(), roomsOf.end())) {
        std::vector<int> courses;
        for (int course = 0; course < problem_.courseCount(); ++course) {
            const std::vector<int>& ofCourse = roomsOf[static_cast<std::size_t>(course)];
            if (std::includes(rooms.begin(), rooms.end(), ofCourse.begin(), ofCourse.end())) courses.push_back(course);
        }
        std::vector<int> places;
        for (const int period : periods_)
            places.push_back(
                static_cast<int>(std::count_if(rooms.begin(), rooms.end(), [&](int room) { return problem_.isRoomOpen(room, period); })));
        const PeriodMatching matching(problem_, courses, std::move(places), periods_);
        if (matching.isComplete()) continue;
        std::vector<std::string> names;
        for (const int room : rooms) names.push_back(problem_.room(room).id);
        return Proof{fmt::format("{} have {} lectures but the periods that are open to them have places for only {} in the rooms that suit "
                                 "them ({})",
                                 listOf(problem_, matching.crowdedCourses()), matching.crowdedLectures(), matching.crowdedPlaces(),
                                 fmt::join(names, ", ")),
                     matching.crowdedCourses()};
    }
    return std::nullopt;
}

/// Looks for courses of several teachers and curricula that all exclude each other.
std::optional<Proof> Counting::findCrowdedClique() const {
    for (int course = 0; course < problem_.courseCount(); ++course) {
        const PeriodMatching matching(problem_, cliqueAround(course), 1, periods_);
        if (matching.isComplete()) continue;
        return Proof{fmt::format("{} exclude each other and have {} lectures but only {} periods are open to them",
                                 listOf(problem_, matching.crowdedCourses()), matching.crowdedLectures(), matching.crowdedPlaces()),
                     matching.crowdedCourses()};
    }
    return std::nullopt;
}

/// Builds a clique around the course. Takes the courses with the most lectures first.
std::vector<int> Counting::cliqueAround(int course) const {
    const std::span<const int> conflicting = problem_.conflictingCourses(course);
    std::vector<int> candidates(conflicting.begin(), conflicting.end());
    std::stable_sort(candidates.begin(), candidates.end(),
                     [this](int one, int other) { return problem_.course(one).lectureCount > problem_.course(other).lectureCount; });
    std::vector<int> clique{course};
    for (const int candidate : candidates) {
        const auto excludes = [&](int member) { return problem_.areInConflict(candidate, member); };
        if (std::all_of(clique.begin(), clique.end(), excludes)) clique.push_back(candidate);
    }
    return clique;
}

}    // namespace

std::optional<Proof> findProofByCounting(const Problem& problem) { return Counting(problem).find(); }

std::optional<Proof> findProof(const Problem& problem, std::int64_t mostDecisions) {
    if (auto proof = findProofByCounting(problem)) return proof;
    if (PeriodSearch(problem).run(mostDecisions) != PeriodSearch::Outcome::Impossible) return std::nullopt;
    const std::vector<int> all = upTo(problem.courseCount());
    return Proof{fmt::format("there is no way to give {} periods without a clash", listOf(problem, all)), all};
}

}    // namespace timetabling::curriculum
