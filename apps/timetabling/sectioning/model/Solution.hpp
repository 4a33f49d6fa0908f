#pragma once

#include <cstddef>
#include <vector>

#include <ferry/apps/timetabling/model/Slots.hpp>
#include <ferry/apps/timetabling/sectioning/model/Problem.hpp>
#include <ferry/apps/timetabling/sectioning/model/rules.hpp>

namespace timetabling::sectioning {

/// A timetable and a division of the students among the classes, valid or not.
struct Solution {
    std::vector<int> times;                             ///< indexed by class: an index into Class::times, or -1
    std::vector<int> rooms;                             ///< indexed by class: an index into Class::rooms, or -1
    std::vector<std::vector<int>> classesOfStudents;    ///< indexed by student; no class is there twice

    bool operator==(const Solution&) const = default;
};

/// Returns where and when each class takes place.
std::vector<Place> placesOf(const Problem& problem, const Solution& solution);

/// Returns the students of each class, ascending.
std::vector<std::vector<int>> studentsOfClasses(const Problem& problem, const Solution& solution);

/// Slots are the form in which processes exchange a solution. First comes a slot for each class: time * number of rooms + room.
/// Then come the entries of all requests: the classes in the order of the subparts of their configuration. The first entry tells the
/// configuration; entries that the configuration does not need are 0. A request without its classes has -1 as first entry.
/// Classes that a request does not ask for are left out.
Slots toSlots(const Problem& problem, const Solution& solution);
/// The slots must have passed checkSlots().
Solution toSolution(const Problem& problem, const Slots& slots);
/// Throws std::invalid_argument when the slots do not fit the problem.
void checkSlots(const Problem& problem, const Slots& slots);

/// Returns the classes of the request among the classes of its student, in the order of the subparts of their configuration. Empty unless
/// they are what the request needs: one class of each subpart of one configuration, each with its parent.
std::vector<int> sectionOf(const Problem& problem, const Request& request, const std::vector<int>& classesOfStudent);

}    // namespace timetabling::sectioning
