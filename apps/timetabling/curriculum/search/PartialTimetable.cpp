#include <ferry/apps/timetabling/curriculum/search/PartialTimetable.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace timetabling::curriculum {

PartialTimetable::PartialTimetable(const Problem& problem)
    : problem_(problem),
      isSlotUsed_(static_cast<std::size_t>(problem.slotCount()), false),
      coursesIn_(static_cast<std::size_t>(problem.periodCount())),
      slotsOfCourse_(static_cast<std::size_t>(problem.courseCount())) {
    for (int slot = 0; problem.hasClosedRooms() && slot < problem.slotCount(); ++slot)
        isSlotUsed_[static_cast<std::size_t>(slot)] = !problem.isRoomOpen(problem.roomOfSlot(slot), problem.periodOfSlot(slot));
}

bool PartialTimetable::isOpenFor(int course, int period) const {
    const std::vector<int>& courses = coursesIn_[static_cast<std::size_t>(period)];
    return problem_.isAvailable(course, period) && std::find(courses.begin(), courses.end(), course) == courses.end();
}

int PartialTimetable::conflicts(int course, int period) const {
    const std::vector<int>& courses = coursesIn_[static_cast<std::size_t>(period)];
    return static_cast<int>(
        std::count_if(courses.begin(), courses.end(), [&](int other) { return problem_.areInConflict(course, other); }));
}

void PartialTimetable::put(int course, int slot) {
    isSlotUsed_[static_cast<std::size_t>(slot)] = true;
    coursesIn_[static_cast<std::size_t>(problem_.periodOfSlot(slot))].push_back(course);
    slotsOfCourse_[static_cast<std::size_t>(course)].push_back(slot);
}

void PartialTimetable::takePinned(const Slots& slots) {
    if (!problem_.hasPins()) return;
    for (int lecture = 0; lecture < problem_.lectureCount(); ++lecture) {
        if (problem_.pinOf(lecture)) put(problem_.courseOf(lecture), slots[static_cast<std::size_t>(lecture)]);
    }
}

void PartialTimetable::putPinned(Random& random) {
    const std::vector<Pin>& pins = problem_.instance().published.pins;
    for (const Pin& pin : pins) {
        if (pin.room >= 0) put(pin.course, problem_.slotOf(pin.period, pin.room));
    }
    for (const Pin& pin : pins) {
        if (pin.room < 0) put(pin.course, problem_.slotOf(pin.period, freeRoomFor(pin, random)));
    }
}

/// Returns a free room for the pin. There is always one: no period has more pins than rooms.
int PartialTimetable::freeRoomFor(const Pin& pin, Random& random) const {
    if (problem_.published()) {
        const int room = problem_.published()->roomAt(pin.course, pin.period);
        if (room >= 0 && !isUsed(problem_.slotOf(pin.period, room))) return room;
    }
    const int first = random.below(problem_.roomCount());
    int best = -1;
    for (int i = 0; i < problem_.roomCount(); ++i) {
        const int room = (first + i) % problem_.roomCount();
        if (isUsed(problem_.slotOf(pin.period, room))) continue;
        if (best < 0 || problem_.missingSeats(pin.course, room) < problem_.missingSeats(pin.course, best)) best = room;
    }
    return best;
}

void PartialTimetable::putPublished(Random& random) {
    std::vector<const PublishedLecture*> lectures;
    for (const PublishedLecture& lecture : problem_.instance().published.lectures) {
        if (lecture.period >= 0 && lecture.room >= 0) lectures.push_back(&lecture);
    }
    random.shuffle(lectures);
    for (const PublishedLecture* lecture : lectures) {
        const int slot = problem_.slotOf(lecture->period, lecture->room);
        if (canTake(lecture->course, slot)) put(lecture->course, slot);
    }
}

bool PartialTimetable::isComplete() const {
    for (int course = 0; course < problem_.courseCount(); ++course) {
        if (missingLectures(course) > 0) return false;
    }
    return true;
}

bool PartialTimetable::putRest(Random& random) {
    std::vector<int> left;
    for (int course = 0; course < problem_.courseCount(); ++course) {
        left.insert(left.end(), static_cast<std::size_t>(missingLectures(course)), course);
    }
    random.shuffle(left);
    return std::all_of(left.begin(), left.end(), [&](int course) { return putAnywhere(course, random); });
}

bool PartialTimetable::putAnywhere(int course, Random& random) {
    int best = -1;
    std::pair<int, int> least{std::numeric_limits<int>::max(), 0};
    int equals = 0;
    for (const int period : problem_.availablePeriods(course)) {
        if (!isOpenFor(course, period)) continue;
        const int clashes = conflicts(course, period);
        if (clashes > least.first) continue;
        for (int room = 0; room < problem_.roomCount(); ++room) {
            const int slot = problem_.slotOf(period, room);
            if (isUsed(slot)) continue;
            const std::pair<int, int> found{clashes, problem_.missingSeats(course, room)};
            if (found > least) continue;
            equals = found < least ? 1 : equals + 1;
            least = found;
            if (random.below(equals) == 0) best = slot;
        }
    }
    if (best >= 0) put(course, best);
    return best >= 0;
}

Slots PartialTimetable::slots() const {
    Slots result;
    for (const std::vector<std::int32_t>& slots : slotsOfCourse_) result.insert(result.end(), slots.begin(), slots.end());
    return result;
}

}    // namespace timetabling::curriculum
