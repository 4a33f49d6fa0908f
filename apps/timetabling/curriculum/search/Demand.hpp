#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// One thing that a problem asks of every timetable, and that somebody could give up.
struct Demand {
    enum class Kind {
        Pin,            ///< a lecture of a course is in a certain period; the index is that of the pin
        Lectures,       ///< the course takes place
        Suitability,    ///< the course needs a room that suits it; only where that is hard
        Curriculum,     ///< courses of the curriculum do not meet at the same time
        Closures,       ///< the course is not taught in periods that are closed to it
        Teacher,        ///< courses of the teacher do not meet at the same time
        Rooms,          ///< there are no more rooms
    };

    static constexpr std::size_t kindCount = 7;

    Kind kind{};
    int index = -1;    ///< of the pin, course, curriculum or teacher

    bool operator==(const Demand&) const = default;
};

/// What the problem asks of these courses, those that are given up more readily first.
std::vector<Demand> demandsOn(const Problem& problem, const std::vector<int>& courses);

/// The same problem with nothing but these demands. Without that on rooms there are as many more as courses, and they suit all.
/// A pinned lecture becomes a course of its own that has one open period. The demands have to include the lectures of a course, or a pin.
Problem problemWith(const Problem& problem, const std::vector<Demand>& demands);

/// What a course of problemWith() stands for.
struct CourseOrigin {
    int course = 0;
    int pin = -1;    ///< an index into the pins; -1 for the lectures that are not pinned
};

/// By course of problemWith() for the same demands.
std::vector<CourseOrigin> originsOf(const Problem& problem, const std::vector<Demand>& demands);

/// The demand in words and in the names of the problem, as far as it is about courses whose lectures are among the demands.
std::string describe(const Problem& problem, const Demand& demand, const std::vector<Demand>& demands);

}    // namespace timetabling::curriculum
