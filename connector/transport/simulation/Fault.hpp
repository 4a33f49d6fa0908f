#pragma once

#include <cstdint>
#include <exception>

namespace ferry {

/// Something that goes wrong on one rank of a simulation, at one of its calls of the transport (sending, polling, resting).
struct Fault {
    enum class Kind {
        Throw,     ///< the call throws the exception
        Leave,     ///< the rank's program ends there: it unwinds, and the rank says farewell as if it had returned
        Kill,      ///< the rank dies there: it unwinds unheard, and what it has sent may be lost in part
        Silence    ///< the rank is taken for dead from there on though it works, and dies a while after that was told
    };

    int rank = 0;
    std::uint64_t atCall = 1;    ///< counted from 1; a rank that makes fewer calls meets no fault
    Kind kind = Kind::Kill;
    std::exception_ptr exception = nullptr;    ///< for Throw; null: a SimulatedFault
};

/// A fault of one of the first three kinds, on any rank, at any of the first so many calls, as the seed decides.
/// Errors: UsageError for no ranks or no calls.
Fault faultFromSeed(std::uint64_t seed, int rankCount, std::uint64_t callCount);

}    // namespace ferry
