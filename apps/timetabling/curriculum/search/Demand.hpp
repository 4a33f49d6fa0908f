#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// One requirement of the problem on every timetable, which a user could give up.
struct Demand {
    enum class Kind {
        Pin,            ///< a lecture of a course is in a certain period; the index is that of the pin
        Lectures,       ///< the course takes place
        Suitability,    ///< the course needs a suitable room; only where suitability is hard
        Curriculum,     ///< courses of the curriculum do not meet at the same time
        Closures,       ///< the course is not taught in its closed periods
        Teacher,        ///< courses of the teacher do not meet at the same time
        Rooms,          ///< there are no more rooms
    };

    static constexpr std::size_t kindCount = 7;

    Kind kind{};
    int index = -1;    ///< index of the pin, course, curriculum or teacher

    bool operator==(const Demand&) const = default;
};

/// Returns the demands of the problem on these courses. Demands that a user would give up first come first.
std::vector<Demand> demandsOn(const Problem& problem, const std::vector<int>& courses);

/// Returns the problem with these demands only. Without the demand on rooms, the problem has as many additional rooms as courses.
/// These additional rooms suit all courses. A pinned lecture becomes a course of its own with one open period.
/// The demands have to include the lectures of a course, or a pin.
Problem problemWith(const Problem& problem, const std::vector<Demand>& demands);

/// The origin of a course of problemWith().
struct CourseOrigin {
    int course = 0;
    int pin = -1;    ///< index into the pins; -1 for the lectures that are not pinned
};

/// Returns the origins of the courses of problemWith() for the same demands.
std::vector<CourseOrigin> originsOf(const Problem& problem, const std::vector<Demand>& demands);

/// Describes the demand in words, with the names of the problem. Names only courses whose lectures are among the demands.
std::string describe(const Problem& problem, const Demand& demand, const std::vector<Demand>& demands);

}    // namespace timetabling::curriculum
