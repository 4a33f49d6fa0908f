#pragma once

#include <cstdint>

#include <ferry/guard/known/CallRing.hpp>
#include <ferry/guard/known/ShortText.hpp>

namespace ferry::pmpi {

/// The answer of one rank to a roll call, as it travels.
struct RollNote {
    enum State : std::int32_t {
        Unknown,     ///< the rank gives no answer
        Computes,    ///< in no call of MPI
        InCall,      ///< in a call of MPI
        AtEnd,       ///< at the end of the region
        Stopped,     ///< a signal has stopped the process
        Gone,        ///< the process has ended
    };

    std::int32_t rank = -1;
    std::int32_t state = Unknown;
    std::int64_t seconds = -1;                     ///< the rank stands there for so long; -1: not known
    std::uint64_t number = 0;                      ///< of the collective on its communicator; 0: no collective
    std::int32_t communicator = CallRing::none;    ///< id, for a collective
    std::int32_t communicatorSize = 0;             ///< of the communicator; 0: not known
    std::int32_t peer = CallRing::none;            ///< rank that must act for this one; none: not known, or several ranks
    std::uint64_t progress = 0;                    ///< of the ring of calls, when the note was made
    std::uint64_t enteredWorld = 0;                ///< number of the last collective on MPI_COMM_WORLD that the rank has come to
    std::int32_t hasMoved = 0;                     ///< 1: the rank has made or ended a call since; what it waited for may be over
    ShortText<48> name;                            ///< of the call
    ShortText<200> call;                           ///< the call with its details
    ShortText<200> place;                          ///< the function and line of the program
    ShortText<240> lastCalls;
    ShortText<160> thrown;    ///< the last exception that the rank has thrown
};

}    // namespace ferry::pmpi
