#pragma once

#include <cstddef>
#include <functional>

#include <ferry/tests/simulation/swarm/SwarmCase.hpp>

namespace ferry::test {

/// Makes a failing case smaller as long as a smaller case still fails: fewer faults, steps, tasks, ranks and throws, smaller numbers,
/// default values, inner steps in the place of their region, and other schedules. Returns a case of which no part can be left out alone.
///
/// fails: whether a case fails; true for `swarm`. mostTries: the greatest number of cases that are tried.
SwarmCase shrink(const SwarmCase& swarm, const std::function<bool(const SwarmCase&)>& fails, std::size_t mostTries = 3000);

}    // namespace ferry::test
