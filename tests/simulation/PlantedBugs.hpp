#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::test {

/// A mistake that a transport or its protocol could make.
struct PlantedBug {
    std::string name;

    /// Wraps the transport in one that makes the mistake. The seed chooses the rank and the moment.
    std::unique_ptr<detail::Transport> (*plant)(std::unique_ptr<detail::Transport> transport, std::uint64_t seed);
};

/// Mistakes of the transport.
const std::vector<PlantedBug>& plantedBugs();
/// Mistakes of the protocol at the end of guarded regions.
const std::vector<PlantedBug>& guardBugs();
/// Mistakes in the handling of lost ranks.
const std::vector<PlantedBug>& lossBugs();

}    // namespace ferry::test
