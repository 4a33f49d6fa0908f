#pragma once

#include <ferry/apps/timetabling/curriculum/model/Problem.hpp>
#include <ferry/apps/timetabling/search/Budget.hpp>
#include <ferry/apps/timetabling/search/LeastLeftOut.hpp>

namespace timetabling::curriculum {

/// Returns a number of lectures that each timetable without hard violations leaves out, by counting lectures and places.
/// The places are those of all lectures, of teachers and of curricula. Pins do not count.
int leftOutByCounting(const Problem& problem);

/// Raises that number until a timetable is found that leaves out no more, or until it is 'most', or until the budget ends.
/// A move of the budget is a decision of the search, which tries all ways to give periods to the lectures.
LeastLeftOut findLeastLeftOut(const Problem& problem, int most, const Budget& budget, const StopHook& stop);

}    // namespace timetabling::curriculum
