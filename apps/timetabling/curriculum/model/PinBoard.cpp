#include <ferry/apps/timetabling/curriculum/model/PinBoard.hpp>

#include <cstddef>

#include <fmt/format.h>

#include <ferry/apps/timetabling/curriculum/model/wording.hpp>
#include <ferry/apps/timetabling/model/counted.hpp>

namespace timetabling::curriculum {

PinBoard::PinBoard(const Problem& problem)
    : problem_(problem),
      pinnedLectures_(static_cast<std::size_t>(problem.courseCount()), 0),
      coursesIn_(static_cast<std::size_t>(problem.periodCount())) {}

std::optional<std::string> PinBoard::add(const Pin& pin) {
    if (auto contradiction = findContradiction(pin)) return contradiction;
    ++pinnedLectures_[static_cast<std::size_t>(pin.course)];
    coursesIn_[static_cast<std::size_t>(pin.period)].push_back(pin.course);
    if (pin.room >= 0) roomsInPeriods_.emplace(pin.period, pin.room);
    return std::nullopt;
}

std::optional<std::string> PinBoard::findContradiction(const Pin& pin) const {
    const Course& course = problem_.course(pin.course);
    const std::string time = when(problem_, pin.period);
    const std::vector<int>& there = coursesIn_[static_cast<std::size_t>(pin.period)];
    for (const int other : there) {
        if (other == pin.course) return fmt::format("course {} is pinned twice {}", course.id, time);
        if (problem_.areInConflict(pin.course, other))
            return fmt::format("courses {} and {} share {} and are both pinned {}", course.id, problem_.course(other).id,
                               bondOf(problem_, pin.course, other), time);
    }
    if (!problem_.isAvailable(pin.course, pin.period)) return fmt::format("course {} is pinned {}, which is closed to it", course.id, time);
    if (pinnedLectures_[static_cast<std::size_t>(pin.course)] >= course.lectureCount)
        return fmt::format("course {} has {}, and more are pinned", course.id, counted(course.lectureCount, "lecture"));
    if (static_cast<int>(there.size()) >= problem_.openRooms(pin.period))
        return fmt::format("more lectures are pinned {} than there are rooms", time);
    if (pin.room < 0) return std::nullopt;
    if (problem_.weights().isRoomSuitabilityHard && !problem_.isSuitable(pin.course, pin.room))
        return fmt::format("course {} is pinned in room {}, which is not suitable", course.id, problem_.room(pin.room).id);
    if (!problem_.isRoomOpen(pin.room, pin.period))
        return fmt::format("course {} is pinned in room {} {}, when the room is closed", course.id, problem_.room(pin.room).id, time);
    if (roomsInPeriods_.contains({pin.period, pin.room}))
        return fmt::format("two lectures are pinned in room {} {}", problem_.room(pin.room).id, time);
    return std::nullopt;
}

}    // namespace timetabling::curriculum
