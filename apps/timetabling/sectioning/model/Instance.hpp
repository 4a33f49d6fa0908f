#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/sectioning/model/DistributionType.hpp>
#include <ferry/apps/timetabling/sectioning/model/TimeSpan.hpp>

/// The plain data of a timetabling instance with student sectioning (ITC-2019), as an XML file states them. Classes have their own
/// times, weeks and rooms, and students are divided among the classes of their courses. All cross references are indices.

namespace timetabling::sectioning {

/// The largest instance that is accepted. A damaged file or message is refused before any memory is allocated for its contents.
namespace limits {
inline constexpr int DayCount = 31;
inline constexpr int WeekCount = 64;
inline constexpr int SlotsPerDay = 10'000;
inline constexpr int RoomCount = 3'000;
inline constexpr int ClassCount = 100'000;
inline constexpr int OptionsPerClass = 100'000;    ///< times x rooms of a class; the product fits into a slot
inline constexpr int OptionCount = 4'000'000;      ///< times and rooms of all classes
inline constexpr int StudentCount = 500'000;
inline constexpr int CoursesPerStudent = 100;
inline constexpr int SubpartsPerConfig = 50;
inline constexpr int RequestCount = 2'000'000;                      ///< courses of all students
inline constexpr int ClassesOfDistributions = 4'000'000;            ///< summed over the distributions
inline constexpr std::int64_t PairsOfDistributions = 50'000'000;    ///< pairs of classes, summed over the distributions
inline constexpr int ClassesOfStudent = 1'000;                      ///< that a student attends
inline constexpr int PeopleOrSeats = 1'000'000;
inline constexpr int Penalty = 1'000'000;
}    // namespace limits

/// The other room is this number of time slots away.
struct Travel {
    int room = 0;
    int slotCount = 0;

    bool operator==(const Travel&) const = default;
};

struct Room {
    std::string id;
    int capacity = 0;
    std::vector<Travel> travels{};    ///< in both directions; rooms that are not listed are 0 slots away
    std::vector<TimeSpan> closings{};

    bool operator==(const Room&) const = default;
};

/// A time that a class may have.
struct TimeOption {
    TimeSpan span;
    int penalty = 0;

    bool operator==(const TimeOption&) const = default;
};

/// A room that a class may have.
struct RoomOption {
    int room = 0;
    int penalty = 0;

    bool operator==(const RoomOption&) const = default;
};

struct Class {
    std::string id;
    int subpart = 0;
    int limit = -1;     ///< the most students; -1: any number
    int parent = -1;    ///< a class of the same configuration that each student of this class attends too; -1: none
    bool needsRoom = true;
    std::vector<TimeOption> times{};    ///< never empty; no two of them have equal days, weeks and start
    std::vector<RoomOption> rooms{};    ///< empty only when the class needs no room

    bool operator==(const Class&) const = default;
};

/// A part of a course such as its lecture. A student attends one class of it.
struct Subpart {
    std::string id;
    int config = 0;
    std::vector<int> classes{};

    bool operator==(const Subpart&) const = default;
};

/// One way to attend a course. A student attends each subpart of one configuration.
struct Config {
    std::string id;
    int course = 0;
    std::vector<int> subparts{};

    bool operator==(const Config&) const = default;
};

struct Course {
    std::string id;
    std::vector<int> configs{};

    bool operator==(const Course&) const = default;
};

/// A constraint between classes.
struct Distribution {
    DistributionType type{};
    int first = 0;     ///< the first number in the brackets behind the type, such as 2 in MaxDays(2)
    int second = 0;    ///< the second number, such as 4 in MaxBreaks(1,4)
    bool isRequired = false;
    int penalty = 0;               ///< counts only when the distribution is not required
    std::vector<int> classes{};    ///< in the order of the file, which Precedence needs

    bool operator==(const Distribution&) const = default;
};

struct Student {
    std::string id;
    std::vector<int> courses{};

    bool operator==(const Student&) const = default;
};

/// The weights of the four sums of the cost.
struct Weights {
    int time = 0;
    int room = 0;
    int distribution = 0;
    int student = 0;

    bool operator==(const Weights&) const = default;
};

struct Instance {
    std::string name;
    int dayCount = 0;
    int weekCount = 0;
    int slotsPerDay = 0;
    Weights weights;
    std::vector<Room> rooms;
    std::vector<Course> courses;
    std::vector<Config> configs;
    std::vector<Subpart> subparts;
    std::vector<Class> classes;
    std::vector<Distribution> distributions;
    std::vector<Student> students;
    std::vector<std::string> notes;    ///< what the file holds and the program leaves out, in words

    bool operator==(const Instance&) const = default;
};

/// Throws std::invalid_argument when an index or a count is out of range, or when an item that must not be empty is. The text names the
/// item, what was expected and what was found.
void checkInstance(const Instance& instance);

}    // namespace timetabling::sectioning
