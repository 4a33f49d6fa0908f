#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ferry/connector/simulate.hpp>
#include <ferry/connector/transport/Transport.hpp>
#include <ferry/tests/simulation/swarm/SwarmCase.hpp>

namespace ferry::test {

/// A planted mistake and a spectator, for tests of the swarm itself.
struct SwarmPlant {
    /// As SimulationOptions::decorate. Null: nothing is planted.
    std::function<std::unique_ptr<detail::Transport>(std::unique_ptr<detail::Transport>)> decorate{};
    /// A task of at least this size has a wrong reply. -1: none has.
    int wrongFromSize = -1;
    /// Sees the result of each simulation. Null: nobody looks.
    std::function<void(const SimulationResult&)> look{};
};

/// Runs the case, and returns what an independent model of it does not allow: nothing when all is right.
///
/// The model: each reply comes once and is right; each failure is told once, with its ranks and the cause first; all ranks of a region are
/// told the same; survivors have the same members; no rank waits for ever; each task runs as many times as it must; a second run with the
/// same journal does no finished task again; no slave keeps what nobody holds; no descriptor stays open.
std::vector<std::string> problemsOf(const SwarmCase& swarm, const SwarmPlant& plant = {});

}    // namespace ferry::test
