#pragma once

#include <cstdint>
#include <vector>

#include <ferry/connector/simulate.hpp>
#include <ferry/tests/support/Ranks.hpp>

namespace ferry::test {

/// The job of the exercise, without the simulation.
JobRun lossJob(int groupSize = 0);

/// A job whose slaves may be lost. The master submits, maps, shares and retries, and handlers throw now and then.
/// Each reply must come once and be right. The loss of all slaves must arrive as NoSlavesLeft in every call.
/// groupSize: the size of groups with sub-masters, which may be lost too; 0: there are no sub-masters.
SimulationOf<int> lossExercise(int rankCount, const SimulationOptions& options, int groupSize = 0);

/// Returns options for the losses. The seed chooses the number of lost slaves, which slaves, how and when, and the delay of the report.
SimulationOptions lossOptions(std::uint64_t seed, int rankCount);

/// Whether the job ended correctly: all live ranks have status 0, or the status of a lost rank when no slave was left.
bool hasEndedWell(const SimulationOf<int>& result, int groupSize = 0);

}    // namespace ferry::test
