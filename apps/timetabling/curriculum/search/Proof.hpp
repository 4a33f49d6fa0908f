#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// A proof that no timetable without hard violations exists.
struct Proof {
    std::string reason;          ///< in one line, with the names of the instance
    std::vector<int> courses;    ///< courses that cannot all take place
};

/// Compares numbers of lectures with numbers of open periods and of places in these periods.
/// The lectures are those of a course, of a teacher, of a curriculum, of courses that all exclude each other, of all courses,
/// or of courses that need certain rooms. An empty result does not mean that a timetable exists.
std::optional<Proof> findProofByCounting(const Problem& problem);

/// Looks for a proof by counting. When counting finds none, tries all ways to give periods to the lectures, with at most mostDecisions
/// decisions.
std::optional<Proof> findProof(const Problem& problem, std::int64_t mostDecisions);

}    // namespace timetabling::curriculum
