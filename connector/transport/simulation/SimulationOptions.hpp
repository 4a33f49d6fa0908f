#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/simulation/Fault.hpp>

namespace ferry {

/// Options of a simulation. The seed alone decides all that is random.
struct SimulationOptions {
    std::uint64_t seed = 0;
    std::vector<Fault> faults{};

    /// After a Kill or a Silence the other ranks are told (Transport::nextLoss) within this time; Duration::max(): never, as where nobody
    /// watches.
    std::chrono::microseconds tellsDeathsWithin = std::chrono::microseconds::max();

    /// Calls of the transports, all ranks together, after which the simulation ends with SimulationLimitReached.
    std::uint64_t maxCalls = 5'000'000;
    /// The simulated time after which the simulation ends with SimulationLimitReached.
    std::chrono::microseconds maxTime = std::chrono::hours(1);

    /// The simulated time of a call of a transport, whichever rank makes it. With 0 only waits take time, so that a program which
    /// asks again and again without a wait does not end but by maxCalls.
    std::chrono::microseconds callTime{1};

    /// Packets arrive before so much time has passed, but for stragglers, 1 in 32, which take up to 20 times as long. None: the seed
    /// decides, from 1 us to 20 ms.
    std::optional<std::chrono::microseconds> packetDelay{};

    /// Puts something between each rank's connector and its transport, for instance one that misbehaves; called on the rank's thread. What
    /// it returns owns what it was given. Null: nothing.
    std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>)> decorate{};
};

}    // namespace ferry
