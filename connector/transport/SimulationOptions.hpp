#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ferry/connector/transport/Fault.hpp>
#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// What a simulation does. The seed alone decides all that is random.
struct SimulationOptions {
    std::uint64_t seed = 0;
    std::vector<Fault> faults{};

    /// After a Kill or a Silence the other ranks are told (Transport::nextLoss) within this time; Duration::max(): never, as where nobody
    /// watches.
    std::chrono::microseconds tellsDeathsWithin = std::chrono::microseconds::max();

    /// Calls of the transports, all ranks together, after which the simulation ends with SimulationLimitReached.
    std::uint64_t maxCalls = 5'000'000;
    /// The same for simulated time.
    std::chrono::microseconds maxTime = std::chrono::hours(1);

    /// Puts something between each rank's connector and its transport, for instance one that misbehaves; called on the rank's thread. What
    /// it returns owns what it was given. Null: nothing.
    std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>)> decorate{};
};

}    // namespace ferry
