#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/transport/simulation/Simulation.hpp>

namespace ferry {

/// The result of a simulation.
struct SimulationResult {
    std::uint64_t seed = 0;
    std::vector<detail::Simulation::Ending> ranks{};    ///< in the order of ranks
    std::string stuckText{};              ///< why the ranks were stuck (SimulatedDeadlock, SimulationLimitReached); else empty
    std::optional<int> abortStatus{};     ///< status with which a rank ended the job by force
    std::chrono::microseconds time{0};    ///< simulated time
    detail::SimulationTrace trace{};

    bool haveAllReturned() const;

    /// Returns one sentence for each rank: how it ended, and with which text.
    std::string describe() const;
};

/// The result of a simulation, with the values that the programs returned: none for a rank that did not return.
template <class Value>
struct SimulationOf : SimulationResult {
    std::vector<std::optional<Value>> values{};    ///< in the order of ranks
};

namespace detail {

/// Runs a program on every rank of a simulated network. The seed of the options fixes all events. When the program of a rank has ended, the
/// rank says farewell, unless a fault has killed it. So a rank that waits for it gets a RankHasLeft.
///
/// The program is called on a thread of its own for each rank. One thread runs at a time. Time that the program reads from another clock is
/// not simulated.
/// Errors: UsageError as Simulation. An exception of a program is part of the result.
SimulationResult simulateRanks(int rankCount, const SimulationOptions& options, const std::function<void(Connector&)>& program);

}    // namespace detail

/// Runs `void program(Connector&)` or `Value program(Connector&)` on every rank: a SimulationResult, or a SimulationOf<Value>.
template <class Program>
auto simulate(int rankCount, const SimulationOptions& options, Program&& program) {
    using Value = std::invoke_result_t<Program&, Connector&>;
    if constexpr (std::is_void_v<Value>) {
        return detail::simulateRanks(rankCount, options, [&program](Connector& connector) { program(connector); });
    } else {
        std::vector<std::optional<Value>> values(static_cast<std::size_t>(rankCount > 0 ? rankCount : 0));
        SimulationOf<Value> result{detail::simulateRanks(rankCount, options, [&](Connector& connector) {
            values[static_cast<std::size_t>(connector.rank())].emplace(program(connector));
        })};
        result.values = std::move(values);
        return result;
    }
}

/// Runs a simulation whose only option is the seed.
template <class Program>
auto simulate(int rankCount, std::uint64_t seed, Program&& program) {
    SimulationOptions options;
    options.seed = seed;
    return simulate(rankCount, options, std::forward<Program>(program));
}

}    // namespace ferry
