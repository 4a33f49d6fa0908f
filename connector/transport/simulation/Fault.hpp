#pragma once

#include <chrono>
#include <cstdint>
#include <exception>

namespace ferry {

/// A fault of one rank of a simulation, at one of its calls of the transport (sending, polling, resting).
struct Fault {
    enum class Kind {
        Throw,      ///< the call throws the exception
        Leave,      ///< the rank's program ends at the call: it unwinds, and the rank says farewell as if it had returned
        Kill,       ///< the rank dies at the call: it unwinds unheard, and a part of its sent packets may be lost
        Silence,    ///< other ranks take the rank for dead from the call on, though it works; it dies a while after they are told
        Pause,      ///< the rank stands still at the call, as under SIGSTOP or in a machine that is suspended
        Leap        ///< the rank's clock leaps ahead at the call
    };

    int rank = 0;
    std::uint64_t atCall = 1;    ///< counted from 1; a rank that makes fewer calls meets no fault
    Kind kind = Kind::Kill;
    std::exception_ptr exception = nullptr;    ///< for Throw; null: a SimulatedFault
    std::chrono::microseconds length{0};       ///< of a Pause, in simulated time; of a Leap, on the rank's clock
};

/// Draws a fault of one of the first three kinds, on any rank, at one of the first callCount calls. The seed decides.
/// Errors: UsageError for no ranks or no calls.
Fault faultFromSeed(std::uint64_t seed, int rankCount, std::uint64_t callCount);

}    // namespace ferry
