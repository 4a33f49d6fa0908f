#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/Requests.hpp>

namespace ferry::pmpi {

/// The subject of a wait of the program, for the watchdog. Made for each wait; it borrows all members.
struct Waiting {
    const char* call = "";
    const Communicator* communicator = nullptr;    ///< for a collective
    std::uint64_t number = 0;                      ///< for a collective: number of its barrier
    std::span<const Operation> operations{};       ///< for a send, receive or probe; for two at once with their requests
    std::span<const MPI_Request> requests{};       ///< for a wait for requests
    bool areTests = false;                         ///< the rank does not wait: it repeats tests of the operations, and of the requests
    bool mayCompute = false;                       ///< for tests: the rank computes between them
    bool isEnd = false;                            ///< the wait is for all ranks at the end of the region
    bool callsNoMore = false;                      ///< the function of the region has returned
};

/// The operations of the wait that are not over yet. Empty for a request that the region does not know.
std::vector<std::optional<Operation>> pendingOf(const Waiting& waiting, const Requests& known);

}    // namespace ferry::pmpi
