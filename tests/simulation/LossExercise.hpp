#pragma once

#include <cstdint>
#include <vector>

#include <ferry/connector/simulate.hpp>

namespace ferry::test {

/// A job whose slaves may be lost: the master submits, maps, shares and retries, handlers throw now and then, and each reply must come
/// once and be right. The loss of all slaves must arrive as NoSlavesLeft, everywhere.
/// groupSize: of sub-masters, which may be lost, too; 0: there are none.
SimulationOf<int> lossExercise(int rankCount, const SimulationOptions& options, int groupSize = 0);

/// Options in which the seed decides how many slaves are lost, which, how and when, and how soon that is told.
SimulationOptions lossOptions(std::uint64_t seed, int rankCount);

/// Whether the job ended as it has to: the ranks that live with status 0, or that of a lost rank when none of the slaves was left.
bool hasEndedWell(const SimulationOf<int>& result, int groupSize = 0);

}    // namespace ferry::test
