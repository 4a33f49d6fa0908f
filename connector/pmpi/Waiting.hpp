#pragma once

#include <cstdint>
#include <span>

#include <mpi.h>

#include <ferry/connector/pmpi/Communicators.hpp>
#include <ferry/connector/pmpi/Requests.hpp>

namespace ferry::pmpi {

/// What a call of the program waits for, as the watchdog tells it. Made for each wait: it borrows everything.
struct Waiting {
    const char* call = "";
    const Communicator* communicator = nullptr;    ///< of a collective
    std::uint64_t number = 0;                      ///< of its barrier there
    std::span<const Operation> operations{};       ///< of a send, receive or probe
    std::span<const MPI_Request> requests{};       ///< of a wait for requests
    bool isEnd = false;                            ///< of the region: for all its ranks
};

}    // namespace ferry::pmpi
