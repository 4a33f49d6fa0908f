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

/// Looks for a cheap proof that no timetable without hard violations exists, and leaves out what it can do without. Nothing found does not
/// mean that there is a timetable.
std::optional<Infeasibility> findInfeasibility(const Problem& problem);

/// The same around what still clashes in a timetable that a search could not make feasible.
std::optional<Infeasibility> findInfeasibility(const Problem& problem, const Slots& slots);

/// What is asked of these courses and cannot be had together, when a proof shows that it cannot; whole kinds of demands are left out first.
Filtered<Demand> findContradiction(const Problem& problem, const std::vector<int>& courses);

/// What still clashes in a timetable that a search could not make feasible, in the user's own names.
std::string describeConflicts(const Problem& problem, const Slots& slots);

}    // namespace timetabling::curriculum
