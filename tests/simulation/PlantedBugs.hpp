#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::test {

/// A mistake that a transport or the protocol above it could have.
struct PlantedBug {
    std::string name;

    /// Puts a transport that makes the mistake around the given one: on one rank and at one moment, as the seed decides.
    std::unique_ptr<Transport> (*plant)(std::unique_ptr<Transport> transport, std::uint64_t seed);
};

/// Of the transport.
const std::vector<PlantedBug>& plantedBugs();
/// Of the protocol at the end of guarded regions.
const std::vector<PlantedBug>& guardBugs();
/// Of what is done about losses.
const std::vector<PlantedBug>& lossBugs();

}    // namespace ferry::test
