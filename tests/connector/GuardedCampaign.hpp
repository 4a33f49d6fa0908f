#pragma once

#include <cstdint>

#include <ferry/connector/Connector.hpp>

namespace ferry::test {

/// Runs guarded regions one after the other, all ranks together: with random operations, which the seed fixes, and with ranks that throw at
/// random places in them, in nested regions too. Checks that all ranks leave each region in the same way, that every value is of the region
/// and the step that asked for it, and that nothing of a failed region is ever met.
void runGuardedCampaign(Connector& connector, std::uint64_t seed, int regionCount);

}    // namespace ferry::test
