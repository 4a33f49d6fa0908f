#pragma once

/// The ranks of a program on a simulated network: a seed fixes which rank runs next and how long each message takes (docs/simulation.md).
///
///     #include <cstdio>
///
///     #include <ferry/simulate.hpp>
///
///     int main() {
///         for (std::uint64_t seed = 1; seed <= 100; ++seed) {
///             const auto result = ferry::simulate(3, seed, [](ferry::Connector& connector) {
///                 if (!connector.isMaster()) connector.send(0, connector.rank());
///                 return connector.isMaster() ? connector.receive<int>(1) + connector.receive<int>(2) : 0;
///             });
///             if (result.values[0] != 3) std::printf("%s\n", result.describe().c_str());
///         }
///     }

#include <ferry/connector.hpp>
#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/simulation/SimulatedDeadlock.hpp>
#include <ferry/connector/transport/simulation/SimulatedFault.hpp>
#include <ferry/connector/transport/simulation/SimulationLimitReached.hpp>
#include <ferry/framework/simulateJob.hpp>
#include <ferry/jobs.hpp>
