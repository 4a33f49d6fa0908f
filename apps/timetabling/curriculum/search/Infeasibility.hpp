#pragma once

#include <optional>
#include <string>
#include <vector>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/search/Demand.hpp>
#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>
#include <ferry/apps/timetabling/search/Infeasibility.hpp>
#include <ferry/apps/timetabling/search/deletionFilter.hpp>

namespace timetabling::curriculum {

/// Looks for a cheap proof that no timetable without hard violations exists. Leaves out the demands that the proof does not need.
/// An empty result does not mean that a timetable exists.
std::optional<Infeasibility> findInfeasibility(const Problem& problem);

/// Looks for such a proof among the courses with conflicts in a timetable that a search could not make feasible.
std::optional<Infeasibility> findInfeasibility(const Problem& problem, const Slots& slots);

/// Returns the demands on these courses that contradict each other, when a proof shows the contradiction.
/// Whole kinds of demands are left out first.
Filtered<Demand> findContradiction(const Problem& problem, const std::vector<int>& courses);

/// Describes the remaining conflicts of a timetable that a search could not make feasible, with the user's names.
std::string describeConflicts(const Problem& problem, const Slots& slots);

}    // namespace timetabling::curriculum
