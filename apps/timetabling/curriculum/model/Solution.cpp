#include <ferry/apps/timetabling/curriculum/model/Solution.hpp>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>

namespace timetabling::curriculum {

Solution toSolution(const Problem& problem, std::span<const std::int32_t> slots) {
    Solution solution;
    solution.placements.reserve(slots.size());
    for (std::size_t lecture = 0; lecture < slots.size(); ++lecture) {
        const int slot = slots[lecture];
        if (slot < 0) continue;
        solution.placements.push_back({problem.courseOf(static_cast<int>(lecture)), problem.periodOfSlot(slot), problem.roomOfSlot(slot)});
    }
    std::sort(solution.placements.begin(), solution.placements.end(), [](const Placement& a, const Placement& b) {
        return std::tie(a.course, a.period, a.room) < std::tie(b.course, b.period, b.room);
    });
    return solution;
}

Slots toSlots(const Problem& problem, const Solution& solution) {
    Slots slots(static_cast<std::size_t>(problem.lectureCount()), -1);
    const auto take = [&](const Placement& placement, bool isPinned) {
        const int first = problem.firstLecture(placement.course);
        for (int lecture = first; lecture < first + problem.course(placement.course).lectureCount; ++lecture) {
            const Pin* pin = problem.pinOf(lecture);
            if (slots[static_cast<std::size_t>(lecture)] >= 0 || isPinned != (pin != nullptr)) continue;
            if (pin && (pin->period != placement.period || (pin->room >= 0 && pin->room != placement.room))) continue;
            slots[static_cast<std::size_t>(lecture)] = problem.slotOf(placement.period, placement.room);
            return true;
        }
        return false;
    };
    for (const Placement& placement : solution.placements) {
        if (take(placement, true) || take(placement, false)) continue;
        throw std::invalid_argument(fmt::format("course {} has a lecture too many", problem.course(placement.course).id));
    }
    return slots;
}

void checkSlots(const Problem& problem, std::span<const std::int32_t> slots) {
    if (slots.size() != static_cast<std::size_t>(problem.lectureCount())) {
        throw std::invalid_argument(fmt::format("slots: expected {}, found {}", problem.lectureCount(), slots.size()));
    }
    std::vector<bool> isUsed(static_cast<std::size_t>(problem.slotCount()), false);
    std::vector<int> lastCourse(static_cast<std::size_t>(problem.periodCount()), -1);
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) {
        const int slot = slots[static_cast<std::size_t>(lecture)];
        if (slot < 0 || slot >= problem.slotCount()) {
            throw std::invalid_argument(fmt::format("slot: expected 0 to {}, found {}", problem.slotCount() - 1, slot));
        }
        if (isUsed[static_cast<std::size_t>(slot)]) throw std::invalid_argument(fmt::format("slot {} is used twice", slot));
        isUsed[static_cast<std::size_t>(slot)] = true;
        const int course = problem.courseOf(lecture);
        const int period = problem.periodOfSlot(slot);
        if (!problem.isRoomOpen(problem.roomOfSlot(slot), period))
            throw std::invalid_argument(fmt::format("room {} is closed in period {}", problem.room(problem.roomOfSlot(slot)).id, period));
        if (!problem.isAvailable(course, period)) {
            throw std::invalid_argument(fmt::format("course {} is not available in period {}", problem.course(course).id, period));
        }
        // The lectures of a course come one after the other. So a period that has this course as its last one holds a repetition.
        if (lastCourse[static_cast<std::size_t>(period)] == course) {
            throw std::invalid_argument(fmt::format("course {} is twice in period {}", problem.course(course).id, period));
        }
        lastCourse[static_cast<std::size_t>(period)] = course;
        const Pin* pin = problem.pinOf(lecture);
        if (pin && (pin->period != period || (pin->room >= 0 && pin->room != problem.roomOfSlot(slot)))) {
            throw std::invalid_argument(fmt::format("a lecture of course {} is not where it is pinned", problem.course(course).id));
        }
    }
}

}    // namespace timetabling::curriculum
