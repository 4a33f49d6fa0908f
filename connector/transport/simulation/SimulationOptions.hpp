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

    /// The time within which the other ranks are told of a Kill or a Silence (Transport::nextLoss). microseconds::max(): they are never
    /// told, as in a job without a watch.
    std::chrono::microseconds tellsDeathsWithin = std::chrono::microseconds::max();

    /// The number of calls of the transports, of all ranks together, after which the simulation ends with SimulationLimitReached.
    std::uint64_t maxCalls = 5'000'000;
    /// The simulated time after which the simulation ends with SimulationLimitReached.
    std::chrono::microseconds maxTime = std::chrono::hours(1);

    /// The simulated time of a call of a transport, whichever rank makes it. With 0 only waits take time. A program that asks again and
    /// again without a wait then ends only by maxCalls.
    std::chrono::microseconds callTime{1};

    /// How much faster or slower than simulated time a rank's clock may go, in thousandths. The seed decides for each rank. 0: all clocks
    /// go alike. At most 900.
    int clockDrift = 0;

    /// The time within which packets arrive. Stragglers, 1 packet in 32, take up to 20 times as long. Without a value the seed decides,
    /// from 1 us to 20 ms.
    std::optional<std::chrono::microseconds> packetDelay{};

    /// Puts another transport between each rank's connector and its transport, for instance one that misbehaves. The function is called on
    /// the rank's thread. The transport that it returns owns the transport that it was given. Null: nothing is put between.
    std::function<std::unique_ptr<detail::Transport>(std::unique_ptr<detail::Transport>)> decorate{};
};

}    // namespace ferry
