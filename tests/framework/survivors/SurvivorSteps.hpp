#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// The groups of survivors that a rank has been in, one after the other. Ranks are those of the whole job.
using SurvivorHistory = std::vector<std::vector<int>>;

/// Called with the name of a point that a rank has reached: "step" before each step, "packet" before each packet of many.
using Reach = std::function<void(const char* point)>;

/// Does a number of steps on the connector: collectives of all kinds, messages in a circle, many packets, guarded regions, groups. The seed
/// decides on them. After each LostRank the ranks that are left go on with the connector of shrink().
/// Errors: std::logic_error for a wrong value.
SurvivorHistory endureSteps(Connector& world, std::uint64_t seed, int stepCount, const Reach& reach = {});

/// Whether the histories of two ranks agree as far as both go.
bool agree(const SurvivorHistory& one, const SurvivorHistory& other);

}    // namespace ferry::test
