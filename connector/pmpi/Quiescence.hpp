#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include <ferry/connector/pmpi/Channel.hpp>
#include <ferry/connector/pmpi/Communicators.hpp>
#include <ferry/connector/pmpi/Interrupted.hpp>
#include <ferry/connector/pmpi/MatchedMessages.hpp>
#include <ferry/connector/pmpi/Requests.hpp>

namespace ferry::pmpi {

/// Makes the communicators of a region that has failed as they were before it: what each rank does after the meeting, before anything is
/// thrown.
///
/// Receives under way are taken back, and what matched probes have taken is received and dropped. On each communicator that any rank has
/// used, one after the other: ranks compare how many barriers they have entered, and those that lag enter the rest; each rank sends a
/// marker behind what it has sent, and receives and drops what comes before the markers of others. Then all sends are over. Ownership:
/// borrows everything. interrupted may be null.
class Quiescence {
public:
    /// serial: of the region among all of this process (Communicator::usedIn, sentIn).
    Quiescence(Channel& channel, Requests& requests, MatchedMessages& matched, Interrupted* interrupted, std::uint32_t serial)
        : channel_(channel),
          requests_(requests),
          matched_(matched),
          interrupted_(interrupted),
          serial_(serial) {}

    void reach();

private:
    /// How many barriers the ranks of a communicator have entered.
    struct Common {
        std::uint64_t leastEntered = 0;
        std::uint64_t mostEntered = 0;
    };

    void takeReceivesBack();
    void dropMatched();
    void settle(Communicator& communicator);
    Common compare(const Communicator& communicator) const;
    void catchUp(Communicator& communicator, const Common& common);
    void sendMarkers(const Communicator& communicator, const std::vector<int>& hasSent);
    void drop(const Communicator& communicator, int markerCount);
    void discard(MPI_Message message, const MPI_Status& status);

    Channel& channel_;
    Requests& requests_;
    MatchedMessages& matched_;
    Interrupted* interrupted_;
    std::uint32_t serial_;
    std::vector<MPI_Request> open_;    // barriers and markers
    std::vector<std::byte> scratch_;
};

}    // namespace ferry::pmpi
