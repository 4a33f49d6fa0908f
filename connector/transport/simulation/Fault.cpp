#include <ferry/connector/transport/simulation/Fault.hpp>

#include <fmt/format.h>

#include <ferry/connector/transport/simulation/SeededRandom.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

Fault faultFromSeed(std::uint64_t seed, int rankCount, std::uint64_t callCount) {
    if (rankCount <= 0) throw UsageError(fmt::format("a fault needs at least one rank, not {}", rankCount));
    if (callCount == 0) throw UsageError("a fault needs at least one call, not 0");
    constexpr std::uint64_t apartFromTheNetwork = 0xfa017;
    SeededRandom random(seed ^ apartFromTheNetwork);
    Fault fault;
    fault.rank = static_cast<int>(random.below(static_cast<std::uint64_t>(rankCount)));
    fault.atCall = 1 + random.below(callCount);
    fault.kind = static_cast<Fault::Kind>(random.below(3));
    return fault;
}

}    // namespace ferry
