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

/// Throws std::invalid_argument when an index or a count is out of range; says which, what was expected and what was found.
void checkInstance(const Instance& instance);

/// Everybody who is named as the teacher of a course.
struct Teacher {
    std::string id;
    std::vector<int> courses;
};

/// An instance with everything that is derived from it: what a scorer and a search ask for all the time.
///
/// Periods are numbered through the week: day * periodsPerDay + period of the day. The lectures of a course have consecutive
/// numbers, courses in the order of the instance; the first of them are those that are pinned. A slot is a period with a room: period *
/// roomCount + room. Threads: not changed after construction, so any number of threads may read one. Errors: the constructor throws what
/// checkInstance() throws.
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
    int teacherOf(int course) const { return teacherOfCourse_[static_cast<std::size_t>(course)]; }

    bool isAvailable(int course, int period) const {
        return isAvailable_[static_cast<std::size_t>(course) * static_cast<std::size_t>(periodCount()) + static_cast<std::size_t>(period)];
    }
    std::span<const int> availablePeriods(int course) const { return availablePeriods_[course]; }

    /// Whether the two courses have a teacher or a curriculum in common; false for a course and itself.
    bool areInConflict(int courseA, int courseB) const {
        const std::size_t bit = static_cast<std::size_t>(courseA) * instance_.courses.size() + static_cast<std::size_t>(courseB);
        return (conflictBits_[bit / 64] >> (bit % 64) & 1U) != 0;
    }
    std::span<const int> conflictingCourses(int course) const { return conflictingCourses_[course]; }
    std::span<const int> curriculaOf(int course) const { return curriculaOfCourse_[course]; }

    const Weights& weights() const { return weights_; }
    bool isSuitable(int course, int room) const {
        return isSuitable_[static_cast<std::size_t>(course) * instance_.rooms.size() + static_cast<std::size_t>(room)];
    }

    /// Students of the course for whom the room has no seat.
    int missingSeats(int course, int room) const {
        const int missing = this->course(course).studentCount - this->room(room).seatCount;
        return missing > 0 ? missing : 0;
    }

    bool hasPins() const { return !instance_.published.pins.empty(); }
    /// Where the lecture has to be, or null: the pins of a course are for its first lectures, those with a room first.
    const Pin* pinOf(int lecture) const {
        const int pin = hasPins() ? pinOfLecture_[static_cast<std::size_t>(lecture)] : -1;
        return pin < 0 ? nullptr : &instance_.published.pins[static_cast<std::size_t>(pin)];
    }
    /// Where lectures were published, or null when none were.
    const PublishedPlaces* published() const { return published_ ? &*published_ : nullptr; }

private:
    void findPins();
    void numberLectures();
    void findTeachers();
    void findAvailability();
    void findConflicts();

    Instance instance_;
    Weights weights_;
    std::vector<bool> isSuitable_;    ///< by course and room
    std::vector<Teacher> teachers_;
    std::vector<int> courseOfLecture_;
    std::vector<int> firstLecture_;
    std::vector<int> teacherOfCourse_;
    std::vector<bool> isAvailable_;
    IndexLists availablePeriods_;
    std::vector<std::uint64_t> conflictBits_;
    IndexLists conflictingCourses_;
    IndexLists curriculaOfCourse_;
    std::vector<int> pinOfLecture_;    ///< an index into the pins, or -1; empty without pins
    std::optional<PublishedPlaces> published_;
};

}    // namespace timetabling::curriculum
