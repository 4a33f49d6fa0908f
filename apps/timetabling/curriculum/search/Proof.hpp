#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>

namespace timetabling::curriculum {

/// That no timetable without hard violations exists.
struct Proof {
    std::string reason;          ///< in the names of the instance, in one line
    std::vector<int> courses;    ///< those that cannot all take place
};

/// Counts: the lectures of a course, of a teacher, of a curriculum, of courses that all exclude each other, of all and of those that need
/// certain rooms, against the periods that are open to them and the places there. Nothing found does not mean that there is a timetable.
std::optional<Proof> findProofByCounting(const Problem& problem);

/// The same, and if that finds nothing, by trying all ways to give periods to the lectures, at most so many decisions.
std::optional<Proof> findProof(const Problem& problem, std::int64_t mostDecisions);

}    // namespace timetabling::curriculum
