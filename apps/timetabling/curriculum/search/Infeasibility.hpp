#pragma once

#include <optional>
#include <string>

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/curriculum/search/SearchState.hpp>

namespace timetabling::curriculum {

/// Looks for a cheap proof that no timetable without hard violations exists, and states it in the user's own names: "teacher Rossi
/// teaches 26 lectures but only 24 periods are open to her courses". Nothing found does not mean that there is a timetable.
std::optional<std::string> findInfeasibility(const Problem& problem);

/// What still clashes in a timetable that a search could not make feasible, in the user's own names.
std::string describeConflicts(const Problem& problem, const Slots& slots);

}    // namespace timetabling::curriculum
