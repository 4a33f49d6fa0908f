#pragma once

#include <cstdint>
#include <functional>

#include <doctest/doctest.h>

#include <ferry/connector/simulate.hpp>
#include <ferry/serialization/exception/Origin.hpp>
#include <ferry/tests/support/Ranks.hpp>

namespace ferry::test {

/// Runs the function with onRanks(), and then in three simulations of four ranks. Under mpirun, rank 0 alone simulates.
inline void onRanksAndSimulated(const std::function<void(Connector&)>& function, int minRanks = 1) {
    onRanks(function, minRanks);
    if (detail::rankOfProcess() > 0) return;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const SimulationResult result = simulate(4, seed, [&function](Connector& c) {
            function(c);
            c.close();
        });
        CHECK_MESSAGE(result.haveAllReturned(), "seed ", seed, ": ", result.describe());
    }
}

}    // namespace ferry::test
