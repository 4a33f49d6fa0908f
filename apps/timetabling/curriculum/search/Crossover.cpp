#include <ferry/apps/timetabling/curriculum/search/Crossover.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace timetabling::curriculum {

namespace {

/// A timetable under construction.
class Child {
public:
    explicit Child(const Problem& problem)
        : problem_(problem),
          isSlotUsed_(static_cast<std::size_t>(problem.slotCount()), false),
          coursesIn_(static_cast<std::size_t>(problem.periodCount())),
          slotsOfCourse_(static_cast<std::size_t>(problem.courseCount())) {}

    int missingLectures(int course) const {
        return problem_.course(course).lectureCount - static_cast<int>(slotsOfCourse_[static_cast<std::size_t>(course)].size());
    }

    bool isOpenFor(int course, int period) const {
        const std::vector<int>& courses = coursesIn_[static_cast<std::size_t>(period)];
        return problem_.isAvailable(course, period) && std::find(courses.begin(), courses.end(), course) == courses.end();
    }

    int conflicts(int course, int period) const {
        const std::vector<int>& courses = coursesIn_[static_cast<std::size_t>(period)];
        return static_cast<int>(
            std::count_if(courses.begin(), courses.end(), [&](int other) { return problem_.areInConflict(course, other); }));
    }

    bool isUsed(int slot) const { return isSlotUsed_[static_cast<std::size_t>(slot)]; }

    void put(int course, int slot) {
        isSlotUsed_[static_cast<std::size_t>(slot)] = true;
        coursesIn_[static_cast<std::size_t>(problem_.periodOfSlot(slot))].push_back(course);
        slotsOfCourse_[static_cast<std::size_t>(course)].push_back(slot);
    }

    /// Puts a lecture where it has the fewest conflicts, and among those the fewest students without a seat; false when no slot is left.
    bool putAnywhere(int course, Random& random) {
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

    Slots slots() const {
        Slots result;
        for (const std::vector<std::int32_t>& slots : slotsOfCourse_) result.insert(result.end(), slots.begin(), slots.end());
        return result;
    }

private:
    const Problem& problem_;
    std::vector<bool> isSlotUsed_;
    std::vector<std::vector<int>> coursesIn_;    ///< by period
    std::vector<std::vector<std::int32_t>> slotsOfCourse_;
};

}    // namespace

Slots exchangePeriods(const Problem& problem, const Slots& first, const Slots& second, double share, Random& random) {
    Child child(problem);
    std::vector<bool> isFromSecond(static_cast<std::size_t>(problem.periodCount()));
    for (int period = 0; period < problem.periodCount(); ++period) {
        isFromSecond[static_cast<std::size_t>(period)] = random.fraction() < share;
    }
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) {
        const int slot = second[static_cast<std::size_t>(lecture)];
        if (isFromSecond[static_cast<std::size_t>(problem.periodOfSlot(slot))]) child.put(problem.courseOf(lecture), slot);
    }
    for (int lecture = 0; lecture < problem.lectureCount(); ++lecture) {
        const int slot = first[static_cast<std::size_t>(lecture)];
        const int course = problem.courseOf(lecture);
        const int period = problem.periodOfSlot(slot);
        const bool isFree = child.missingLectures(course) > 0 && !child.isUsed(slot) && child.isOpenFor(course, period);
        if (isFree && child.conflicts(course, period) == 0) child.put(course, slot);
    }
    std::vector<int> left;
    for (int course = 0; course < problem.courseCount(); ++course) {
        left.insert(left.end(), static_cast<std::size_t>(child.missingLectures(course)), course);
    }
    random.shuffle(left);
    for (const int course : left) {
        if (!child.putAnywhere(course, random)) return first;
    }
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
