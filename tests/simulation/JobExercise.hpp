#pragma once

#include <ferry/connector/simulate.hpp>
#include <ferry/tests/support/Ranks.hpp>

namespace ferry::test {

/// A job whose master uses map, submit and share, and whose handlers throw now and then; the master checks with xassert whatever comes
/// back.
JobRun jobExercise();

/// A job that an xassert of a handler stops while the slaves work.
JobRun jobThatFails();

/// The exit status of each rank of the job.
SimulationOf<int> simulateJob(int rankCount, const SimulationOptions& options, const JobRun& job);

}    // namespace ferry::test
