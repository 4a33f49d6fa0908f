#pragma once

#include <cstdint>
#include <functional>

#include <mpi.h>

#include <ferry/connector/pmpi/Communicators.hpp>

namespace ferry::pmpi {

/// A collective call of the program in whose barrier a rank waits when it hears of a failure. If all ranks of the communicator have
/// entered the barrier, some may be in the call itself already, and need this rank there.
struct Interrupted {
    Communicator* communicator = nullptr;
    MPI_Request barrier = MPI_REQUEST_NULL;    ///< null when it is over
    std::uint64_t number = 0;                  ///< of the barrier on the communicator
    std::function<void()> call{};
    bool hasRun = false;

    void run() {
        hasRun = true;
        call();
    }
};

}    // namespace ferry::pmpi
