#include <ferry/apps/timetabling/curriculum/model/leftOutLectures.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/wording.hpp>

namespace timetabling::curriculum {

namespace {

/// The courses and rooms that a timetable has in each period.
class Occupation {
public:
    Occupation(const Problem& problem, const Solution& solution)
        : problem_(problem),
          coursesIn_(static_cast<std::size_t>(problem.periodCount())),
          isUsed_(static_cast<std::size_t>(problem.slotCount()), false) {
        for (const Placement& placement : solution.placements) add(placement.course, placement.period, placement.room);
    }

    void add(int course, int period, int room) {
        coursesIn_[static_cast<std::size_t>(period)].push_back(course);
        isUsed_[static_cast<std::size_t>(problem_.slotOf(period, room))] = true;
    }

    /// Says what lies in the way of the course in the period. Empty: nothing.
    std::string inTheWay(int course, int period) const {
        for (const int other : coursesIn_[static_cast<std::size_t>(period)]) {
            if (other == course) return "another lecture of it";
            if (problem_.areInConflict(course, other)) return "lectures of " + bondOf(problem_, course, other);
        }
        return {};
    }

    /// The free room that suits the course best in the period.
    std::optional<int> freeRoom(int course, int period) const {
        std::optional<int> best;
        for (int room = 0; room < problem_.roomCount(); ++room) {
            if (isUsed_[static_cast<std::size_t>(problem_.slotOf(period, room))] || !problem_.isRoomOpen(room, period)) continue;
            if (problem_.weights().isRoomSuitabilityHard && !problem_.isSuitable(course, room)) continue;
            if (!best || problem_.missingSeats(course, room) < problem_.missingSeats(course, *best)) best = room;
        }
        return best;
    }

private:
    const Problem& problem_;
    std::vector<std::vector<int>> coursesIn_;    ///< indexed by period
    std::vector<bool> isUsed_;                   ///< indexed by slot
};

std::string reasonOf(const Problem& problem, const Occupation& occupation, int course) {
    const bool isSuitabilityHard = problem.weights().isRoomSuitabilityHard;
    bool hasRoom = !isSuitabilityHard;
    for (int room = 0; room < problem.roomCount(); ++room) hasRoom = hasRoom || problem.isSuitable(course, room);
    if (!hasRoom) return "no room suits it";
    Obstacles obstacles;
    for (int period = 0; period < problem.periodCount(); ++period) {
        if (!problem.isAvailable(course, period)) {
            obstacles.addClosed();
        } else if (const std::string who = occupation.inTheWay(course, period); !who.empty()) {
            obstacles.addTaken(who);
        } else if (const std::optional<int> room = occupation.freeRoom(course, period)) {
            obstacles.addFree(fmt::format("{} in room {}", problem.periodText(period), problem.room(*room).id));
        } else {
            obstacles.addFull();
        }
    }
    return obstacles.text(problem.periodCount(), isSuitabilityHard ? "free room that suits it" : "free room");
}

}    // namespace

std::vector<LeftOut> leftOutLectures(const Problem& problem, const Solution& solution) {
    std::vector<int> missing;
    for (const Course& course : problem.instance().courses) missing.push_back(course.lectureCount);
    // A course twice in a period counts as one lecture.
    std::vector<std::pair<int, int>> places;
    for (const Placement& placement : solution.placements) places.emplace_back(placement.course, placement.period);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (const auto& place : places) --missing[static_cast<std::size_t>(place.first)];
    const Occupation occupation(problem, solution);
    std::vector<LeftOut> leftOut;
    for (int course = 0; course < problem.courseCount(); ++course) {
        const int count = missing[static_cast<std::size_t>(course)];
        if (count > 0) leftOut.push_back({course, count, reasonOf(problem, occupation, course)});
    }
    return leftOut;
}

Slots filledIn(const Problem& problem, Slots slots) {
    Occupation occupation(problem, toSolution(problem, slots));
    for (std::size_t lecture = 0; lecture < slots.size(); ++lecture) {
        if (slots[lecture] >= 0) continue;
        const int course = problem.courseOf(static_cast<int>(lecture));
        for (const int period : problem.availablePeriods(course)) {
            if (!occupation.inTheWay(course, period).empty()) continue;
            const std::optional<int> room = occupation.freeRoom(course, period);
            if (!room) continue;
            slots[lecture] = problem.slotOf(period, *room);
            occupation.add(course, period, *room);
            break;
        }
    }
    return slots;
}

}    // namespace timetabling::curriculum
