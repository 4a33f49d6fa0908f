#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

/// A timetable under construction: lectures are put into slots one after the other, those of a course in the order of their numbers. So
/// what is pinned has to be put before the rest.
/// Ownership: refers to the problem.
class PartialTimetable {
public:
    explicit PartialTimetable(const Problem& problem);

    int missingLectures(int course) const {
        return problem_.course(course).lectureCount - static_cast<int>(slotsOfCourse_[static_cast<std::size_t>(course)].size());
    }
    /// Whether the period is open to the course, and does not have it yet.
    bool isOpenFor(int course, int period) const;
    bool isUsed(int slot) const { return isSlotUsed_[static_cast<std::size_t>(slot)]; }
    /// Whether a lecture of the course is missing and can be in the slot; conflicts with others are not looked at.
    bool canTake(int course, int slot) const {
        return missingLectures(course) > 0 && !isUsed(slot) && isOpenFor(course, problem_.periodOfSlot(slot));
    }
    /// How many courses in the period are in conflict with this one.
    int conflicts(int course, int period) const;

    void put(int course, int slot);
    /// Puts the pinned lectures where they are in a whole timetable.
    void takePinned(const Slots& slots);
    /// Puts them where the pins say; into rooms where they were published, or else any, as far as the pins leave them open.
    void putPinned(Random& random);
    /// Puts each lecture where it was published, in random order, as far as the place is there and is not used.
    void putPublished(Random& random);
    /// Puts all lectures that are missing, in random order, where they have the fewest conflicts, and among those the fewest students
    /// without a seat; false when one finds no slot.
    bool putRest(Random& random);

    bool isComplete() const;
    /// When no lecture is missing.
    Slots slots() const;

private:
    bool putAnywhere(int course, Random& random);
    int freeRoomFor(const Pin& pin, Random& random) const;

    const Problem& problem_;
    std::vector<bool> isSlotUsed_;
    std::vector<std::vector<int>> coursesIn_;    ///< by period
    std::vector<std::vector<std::int32_t>> slotsOfCourse_;
};

}    // namespace timetabling::curriculum
