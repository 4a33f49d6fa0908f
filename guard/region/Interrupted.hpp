#pragma once

#include <sched.h>
#include <cstdint>
#include <functional>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/EntryBarrier.hpp>
#include <ferry/guard/meeting/JoinedCalls.hpp>

namespace ferry::pmpi {

/// A collective call of the program in whose barrier a rank waits when it hears of a failure. If all ranks of the communicator have entered
/// the barrier, some may already be in the call itself and need this rank there.
struct Interrupted {
    Communicator* communicator = nullptr;
    EntryBarrier barrier{};
    std::uint64_t number = 0;    ///< number of the barrier on the communicator
    std::function<void()> call{};
    bool needsAll = false;    ///< the call ends only when all ranks have made it: a region inside of this one

    /// Makes the call if the barrier is over. The last rank may have entered the barrier before it heard of the failure: then others are in
    /// the call.
    void advance(JoinedCalls& joined) {
        if (!barrier.isUnderWay() || !barrier.isOver() || !barrier.isAgreed()) return;
        joined.tell(*communicator, number);
        call();
    }
    /// Makes the interrupted call because another rank makes it.
    void join(const JoinedCalls::Place& place) {
        if (!barrier.isUnderWay() || place.communicator != communicator->id || place.number != number) return;
        while (!barrier.isOver()) sched_yield();    // all ranks have entered the barrier
        if (barrier.isAgreed()) call();
    }
};

}    // namespace ferry::pmpi
