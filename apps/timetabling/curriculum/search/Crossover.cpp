#include <ferry/apps/timetabling/curriculum/search/Crossover.hpp>

#include <vector>

#include <ferry/apps/timetabling/curriculum/search/PartialTimetable.hpp>

namespace timetabling::curriculum {

Slots exchangePeriods(const Problem& problem, const Slots& first, const Slots& second, double share, Random& random) {
    PartialTimetable child(problem);
    std::vector<bool> isFromSecond(static_cast<std::size_t>(problem.periodCount()));
    for (int period = 0; period < problem.periodCount(); ++period) {
        isFromSecond[static_cast<std::size_t>(period)] = random.fraction() < share;
    }
    child.takePinned(first);
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) {
        const int slot = second[static_cast<std::size_t>(lecture)];
        const int course = problem.courseOf(lecture);
        if (isFromSecond[static_cast<std::size_t>(problem.periodOfSlot(slot))] && child.canTake(course, slot)) child.put(course, slot);
    }
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) {
        const int slot = first[static_cast<std::size_t>(lecture)];
        const int course = problem.courseOf(lecture);
        if (child.canTake(course, slot) && child.conflicts(course, problem.periodOfSlot(slot)) == 0) child.put(course, slot);
    }
    if (!child.putRest(random)) return first;
    return child.slots();
}

int distanceBetween(const Problem& problem, const Slots& a, const Slots& b) {
    int distance = 0;
    std::vector<bool> isInB(static_cast<std::size_t>(problem.periodCount()), false);
    for (int course = 0; course < problem.courseCount(); ++course) {
        const auto begin = static_cast<std::size_t>(problem.firstLecture(course));
        const std::size_t end = begin + static_cast<std::size_t>(problem.course(course).lectureCount);
        const auto mark = [&](bool value) {
            for (std::size_t i = begin; i < end; ++i) isInB[static_cast<std::size_t>(problem.periodOfSlot(b[i]))] = value;
        };
        mark(true);
        for (std::size_t i = begin; i < end; ++i) distance += isInB[static_cast<std::size_t>(problem.periodOfSlot(a[i]))] ? 0 : 1;
        mark(false);
    }
    return distance;
}

}    // namespace timetabling::curriculum
