#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Formulation.hpp>
#include <ferry/apps/timetabling/curriculum/model/Published.hpp>
#include <ferry/apps/timetabling/model/WeekNames.hpp>

/// The plain data of a curriculum-based timetabling instance, as a file states it.

namespace timetabling::curriculum {

/// The largest instance that is accepted. The limits keep every table that is derived from an instance within memory.
/// A damaged file or message is refused before any memory is allocated for its contents.
namespace limits {
inline constexpr int DayCount = 366;
inline constexpr int PeriodsPerDay = 60;
inline constexpr int CourseCount = 10'000;
inline constexpr int RoomCount = 5'000;
inline constexpr int RoomConstraintCount = 10'000'000;
inline constexpr int CurriculumCount = 50'000;
inline constexpr int UnavailabilityCount = 10'000'000;
inline constexpr int LecturesPerCourse = 10'000;
inline constexpr int LectureCount = 200'000;
inline constexpr int PeopleOrSeats = 1'000'000;
inline constexpr int TeachersPerCourse = 100;
inline constexpr int OrderCount = 100'000;
inline constexpr int Weight = 10'000;
inline constexpr std::int64_t TableCells = 20'000'000;      ///< courses x periods, courses x rooms, rooms x periods, curricula x periods
inline constexpr std::int64_t CoursePairs = 100'000'000;    ///< pairs of courses within one curriculum, summed over the curricula
}    // namespace limits

struct Course {
    std::string id;
    std::string teacher;
    int lectureCount = 0;
    int minWorkingDays = 0;
    int studentCount = 0;
    bool wantsDoubleLectures = false;            ///< lectures of the course on the same day should follow each other in one room
    std::vector<std::string> otherTeachers{};    ///< persons who teach the course together with the teacher
};

/// Returns all teachers of the course in one text: "Rossi; Weber".
std::string teachersText(const Course& course);

struct Room {
    std::string id;
    int seatCount = 0;
    int building = 0;    ///< rooms with the same building number are close to each other
};

/// A set of courses that have students in common.
struct Curriculum {
    std::string id;
    std::vector<int> courses;    ///< indices into Instance::courses
};

/// Says that the course cannot be taught in this period.
struct Unavailability {
    int course = 0;         ///< index into Instance::courses
    int day = 0;            ///< counts from 0
    int periodOfDay = 0;    ///< counts from 0
};

/// Says that the room cannot be used in this period.
struct RoomClosing {
    int room = 0;           ///< index into Instance::rooms
    int day = 0;            ///< counts from 0
    int periodOfDay = 0;    ///< counts from 0
};

/// Says that the room is not suitable for the course.
struct RoomConstraint {
    int course = 0;    ///< index into Instance::courses
    int room = 0;      ///< index into Instance::rooms
};

/// The greatest numbers of days and lectures that a teacher should have.
struct TeacherLimits {
    std::string teacher;
    int mostDays = limits::DayCount;
    int mostDaily = limits::LecturesPerCourse;     ///< lectures on a day
    int mostInARow = limits::LecturesPerCourse;    ///< lectures without an empty period between them
};

/// Says that the lectures of one course should be after those of another one in the week.
struct CourseOrder {
    int before = 0;    ///< index into Instance::courses
    int after = 0;     ///< index into Instance::courses
};

/// A student with the courses that the student attends.
struct Student {
    std::string id;
    std::vector<int> courses;    ///< indices into Instance::courses, ascending
};

struct Instance {
    std::string name;
    int dayCount = 0;
    int periodsPerDay = 0;
    std::vector<Course> courses;
    std::vector<Room> rooms;
    std::vector<Curriculum> curricula;
    std::vector<Unavailability> unavailabilities;

    // The members from here on matter to some formulations only.
    Formulation formulation = Formulation::UD2;
    int minDailyLectures = 0;                        ///< limit for a curriculum on each day with lectures
    int maxDailyLectures = limits::PeriodsPerDay;    ///< limit for a curriculum on each day
    std::vector<RoomConstraint> roomConstraints;

    Published published;    ///< not part of any format

    // Tables hold the members from here on; the formats of the competition cannot.
    WeekNames names;
    std::vector<RoomClosing> roomClosings;
    std::vector<TeacherLimits> teacherLimits;
    std::vector<CourseOrder> orders;
    std::vector<Student> students;      ///< empty: it is not known which students attend which courses
    std::vector<int> lunchPeriods;      ///< periods of the day of which a teacher should have one free
    std::optional<Weights> weights;     ///< own weights instead of those of the formulation
    bool isRoomCapacityHard = false;    ///< no lecture may be in a room with too few seats
    std::vector<std::int32_t> rest;     ///< slots of a timetable of the rest, -1 for a lecture that is left out: the search leaves the same
                                        ///< ones out; empty: all lectures take place
    std::vector<std::string> notes;     ///< what the user should know of the tables: guesses, and what was left out or does not count
};

}    // namespace timetabling::curriculum
