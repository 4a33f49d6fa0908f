#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/Requests.hpp>

namespace ferry::pmpi {

/// What a call of the program waits for, as the watchdog tells it. Made for each wait: it borrows everything.
struct Waiting {
    const char* call = "";
    const Communicator* communicator = nullptr;    ///< of a collective
    std::uint64_t number = 0;                      ///< of its barrier there
    std::span<const Operation> operations{};       ///< of a send, receive or probe; of two at once with their requests
    std::span<const MPI_Request> requests{};       ///< of a wait for requests
    bool isEnd = false;                            ///< of the region: for all its ranks
    bool callsNoMore = false;                      ///< the function of the region has returned
};

/// What of it is not over yet. Nothing for a request that the region does not know.
std::vector<std::optional<Operation>> pendingOf(const Waiting& waiting, const Requests& known);

}    // namespace ferry::pmpi
