#pragma once

#include <ferry/connector/simulate.hpp>
#include <ferry/tests/support/Ranks.hpp>

namespace ferry::test {

/// A job whose master uses map, submit and share, and whose handlers throw now and then. The master checks all results with xassert.
JobRun jobExercise();

/// A job in which an xassert of a handler fails while the slaves work. The failure stops the job.
JobRun jobThatFails();

/// Returns the exit status of each rank of the job.
SimulationOf<int> simulateJob(int rankCount, const SimulationOptions& options, const JobRun& job);

}    // namespace ferry::test
