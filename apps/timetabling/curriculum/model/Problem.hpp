#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Instance.hpp>
#include <ferry/apps/timetabling/curriculum/model/PublishedPlaces.hpp>
#include <ferry/apps/timetabling/model/IndexLists.hpp>

namespace timetabling::curriculum {

/// Throws std::invalid_argument when an index or a count is out of range. The text names the item, the expected range and the found
/// value.
void checkInstance(const Instance& instance);

/// A person who is named as the teacher of some courses.
struct Teacher {
    std::string id;
    std::vector<int> courses;
};

/// An instance with all data that are derived from it and that a scorer and a search need often.
///
/// Periods are numbered through the week: day * periodsPerDay + period of the day.
/// The lectures of a course have consecutive numbers, courses in the order of the instance. The pinned lectures of a course come first.
/// A slot is a period with a room: period * roomCount + room.
/// Threads: the problem does not change after construction, so any number of threads may read it.
/// Errors: the constructor throws the exceptions of checkInstance().
class Problem {
public:
    explicit Problem(Instance instance);

    const Instance& instance() const { return instance_; }
    const Course& course(int course) const { return instance_.courses[static_cast<std::size_t>(course)]; }
    const Room& room(int room) const { return instance_.rooms[static_cast<std::size_t>(room)]; }
    const Curriculum& curriculum(int curriculum) const { return instance_.curricula[static_cast<std::size_t>(curriculum)]; }
    const std::vector<Teacher>& teachers() const { return teachers_; }

    int dayCount() const { return instance_.dayCount; }
    int periodsPerDay() const { return instance_.periodsPerDay; }
    int periodCount() const { return instance_.dayCount * instance_.periodsPerDay; }
    int courseCount() const { return static_cast<int>(instance_.courses.size()); }
    int roomCount() const { return static_cast<int>(instance_.rooms.size()); }
    int curriculumCount() const { return static_cast<int>(instance_.curricula.size()); }
    int lectureCount() const { return static_cast<int>(courseOfLecture_.size()); }
    int slotCount() const { return periodCount() * roomCount(); }

    int dayOf(int period) const { return period / instance_.periodsPerDay; }
    int periodOfDay(int period) const { return period % instance_.periodsPerDay; }
    int periodOfSlot(int slot) const { return slot / roomCount(); }
    int roomOfSlot(int slot) const { return slot % roomCount(); }
    int slotOf(int period, int room) const { return period * roomCount() + room; }

    int courseOf(int lecture) const { return courseOfLecture_[static_cast<std::size_t>(lecture)]; }
    int firstLecture(int course) const { return firstLecture_[static_cast<std::size_t>(course)]; }
    /// The numbers of the teachers of the course, at least one.
    std::span<const int> teachersOf(int course) const { return teachersOfCourse_[course]; }

    bool isAvailable(int course, int period) const {
        return isAvailable_[static_cast<std::size_t>(course) * static_cast<std::size_t>(periodCount()) + static_cast<std::size_t>(period)];
    }
    std::span<const int> availablePeriods(int course) const { return availablePeriods_[course]; }

    /// Whether the two courses have a teacher or a curriculum in common. False for a course and itself.
    bool areInConflict(int courseA, int courseB) const {
        const std::size_t bit = static_cast<std::size_t>(courseA) * instance_.courses.size() + static_cast<std::size_t>(courseB);
        return (conflictBits_[bit / 64] >> (bit % 64) & 1U) != 0;
    }
    std::span<const int> conflictingCourses(int course) const { return conflictingCourses_[course]; }
    std::span<const int> curriculaOf(int course) const { return curriculaOfCourse_[course]; }

    bool isRoomOpen(int room, int period) const {
        return closedSlots_.empty() || !closedSlots_[static_cast<std::size_t>(slotOf(period, room))];
    }
    /// Number of rooms that can be used in the period.
    int openRooms(int period) const { return closedSlots_.empty() ? roomCount() : openRooms_[static_cast<std::size_t>(period)]; }
    bool hasClosedRooms() const { return !closedSlots_.empty(); }
    /// Number of slots that can be used.
    int openSlotCount() const;

    /// "Monday", or "day 0".
    std::string dayText(int day) const { return instance_.names.day(day); }
    /// "Monday 08:15-09:00", or "day 0 period 1".
    std::string periodText(int period) const;

    const Weights& weights() const { return weights_; }
    bool isSuitable(int course, int room) const {
        return isSuitable_[static_cast<std::size_t>(course) * instance_.rooms.size() + static_cast<std::size_t>(room)];
    }

    /// Number of students of the course without a seat in the room.
    int missingSeats(int course, int room) const {
        const int missing = this->course(course).studentCount - this->room(room).seatCount;
        return missing > 0 ? missing : 0;
    }

    bool hasPins() const { return !instance_.published.pins.empty(); }
    /// The pin of the lecture, or null. The pins of a course belong to its first lectures, pins with a room first.
    const Pin* pinOf(int lecture) const {
        const int pin = hasPins() ? pinOfLecture_[static_cast<std::size_t>(lecture)] : -1;
        return pin < 0 ? nullptr : &instance_.published.pins[static_cast<std::size_t>(pin)];
    }
    /// The published places of the lectures; null when no timetable was published.
    const PublishedPlaces* published() const { return published_ ? &*published_ : nullptr; }

private:
    void findPins();
    void numberLectures();
    void findTeachers();
    void findAvailability();
    void findRooms();
    void findConflicts();

    Instance instance_;
    Weights weights_;
    std::vector<bool> isSuitable_;    ///< indexed by course and room
    std::vector<Teacher> teachers_;
    std::vector<int> courseOfLecture_;
    std::vector<int> firstLecture_;
    IndexLists teachersOfCourse_;
    std::vector<bool> closedSlots_;    ///< indexed by slot; empty: no room is closed
    std::vector<int> openRooms_;       ///< indexed by period; empty: no room is closed
    std::vector<bool> isAvailable_;
    IndexLists availablePeriods_;
    std::vector<std::uint64_t> conflictBits_;
    IndexLists conflictingCourses_;
    IndexLists curriculaOfCourse_;
    std::vector<int> pinOfLecture_;    ///< index into the pins, or -1; empty without pins
    std::optional<PublishedPlaces> published_;
};

}    // namespace timetabling::curriculum
