#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/search/Random.hpp>

namespace timetabling::curriculum {

/// A timetable under construction. Lectures are put into slots one after the other, the lectures of a course in the order of their
/// numbers.
/// So pinned lectures have to be put first.
/// Ownership: refers to the problem.
class PartialTimetable {
public:
    explicit PartialTimetable(const Problem& problem);

    int missingLectures(int course) const {
        return problem_.course(course).lectureCount - static_cast<int>(slotsOfCourse_[static_cast<std::size_t>(course)].size());
    }
    /// Whether the period is open to the course, and holds no lecture of the course yet.
    bool isOpenFor(int course, int period) const;
    /// Whether a lecture is in the slot, or the room is closed then.
    bool isUsed(int slot) const { return isSlotUsed_[static_cast<std::size_t>(slot)]; }
    /// Whether a lecture of the course is missing and fits into the slot. Does not check conflicts with other courses.
    bool canTake(int course, int slot) const {
        return missingLectures(course) > 0 && !isUsed(slot) && isOpenFor(course, problem_.periodOfSlot(slot));
    }
    /// Number of courses in the period that conflict with this one.
    int conflicts(int course, int period) const;

    void put(int course, int slot);
    /// Puts the pinned lectures into their slots of a complete timetable.
    void takePinned(const Slots& slots);
    /// Puts the pinned lectures into the periods of their pins.
    /// The room is that of the pin, else the published room, else any room that the pins leave open.
    void putPinned(Random& random);
    /// Puts each lecture into its published place, in random order, if the place exists and is free.
    void putPublished(Random& random);
    /// Puts all missing lectures, in random order, into slots with the fewest conflicts.
    /// Among equal slots, takes the one with the fewest students without a seat. False when a lecture finds no slot.
    bool putRest(Random& random);

    bool isComplete() const;
    /// Returns the slots of the complete timetable. No lecture may be missing.
    Slots slots() const;

private:
    bool putAnywhere(int course, Random& random);
    int freeRoomFor(const Pin& pin, Random& random) const;

    const Problem& problem_;
    std::vector<bool> isSlotUsed_;
    std::vector<std::vector<int>> coursesIn_;    ///< indexed by period
    std::vector<std::vector<std::int32_t>> slotsOfCourse_;
};

}    // namespace timetabling::curriculum
