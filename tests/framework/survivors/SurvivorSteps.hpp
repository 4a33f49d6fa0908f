#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// The groups of survivors that a rank has been in, one after the other. Ranks are those of the whole job.
using SurvivorHistory = std::vector<std::vector<int>>;

/// Does a number of steps on the connector: collectives of all kinds, messages in a circle, guarded regions, groups. The seed decides on
/// them. After each LostRank the ranks that are left go on with the connector of shrink(). reach() is called before each step.
/// Errors: std::logic_error for a wrong value.
SurvivorHistory endureSteps(Connector& world, std::uint64_t seed, int stepCount, const std::function<void()>& reach = {});

/// Whether the histories of two ranks agree as far as both go.
bool agree(const SurvivorHistory& one, const SurvivorHistory& other);

}    // namespace ferry::test
