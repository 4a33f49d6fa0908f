#pragma once

#include <string>

#include <ferry/apps/timetabling/curriculum/model/Score.hpp>

namespace timetabling::curriculum {

/// Returns the score as a table: one line per constraint that counts, then the sums.
std::string describeScore(const Problem& problem, const Score& score);

/// Returns one line for the result of a search or an examination: "feasible, cost 61" or "infeasible: 3 violations, cost 61".
std::string summarize(const Score& score);

}    // namespace timetabling::curriculum
