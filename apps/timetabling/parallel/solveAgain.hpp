#pragma once

#include <ferry/ferry.hpp>

#include <ferry/apps/timetabling/search/EvolutionPlan.hpp>
#include <ferry/apps/timetabling/serve/Desk.hpp>
#include <ferry/apps/timetabling/serve/LiveState.hpp>

namespace timetabling {

/// Solves what the page has ordered, with all slaves, and offers the result to the desk, or says why there is none.
/// 'options' are those of the first search; the order has the time. A search for few moves begins with the proof of a repair.
/// Whatever the search throws is such a reason, so that the page stays.
/// Errors: ferry::Terminated when the job is stopped; ferry::AssertionFailure.
void solveAgain(ferry::Master& master, const DeskOrder& order, EvolutionOptions options, Desk& desk, LiveState& live);

}    // namespace timetabling
