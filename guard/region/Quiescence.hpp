#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MatchedMessages.hpp>
#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/Channel.hpp>
#include <ferry/guard/meeting/EntryBarrier.hpp>
#include <ferry/guard/region/DeferredCollectives.hpp>
#include <ferry/guard/region/Interrupted.hpp>

namespace ferry::pmpi {

/// Makes the communicators of a region that has failed as they were before it: what each rank does after the meeting, before anything is
/// thrown.
///
/// Receives under way are taken back, and what matched probes have taken is received and dropped. On each communicator that any rank has
/// used, one after the other: ranks compare how many barriers they have entered, collectives that all have come to are made, and those that
/// lag enter the rest; accesses to windows are completed by a fence; each rank sends a marker behind what it has sent, and receives and
/// drops what comes before the markers of others. Then all sends are over. Ownership: borrows everything.
class Quiescence {
public:
    /// What this rank has under way.
    struct UnderWay {
        Requests& requests;
        MatchedMessages& matched;
        DeferredCollectives& deferred;
        Interrupted* interrupted;    ///< may be null
    };

    /// serial: of the region among all of this process (Communicator::usedIn, sentIn); those from then on are of regions inside of it.
    Quiescence(Channel& channel, const UnderWay& underWay, std::uint32_t serial)
        : channel_(channel),
          requests_(underWay.requests),
          matched_(underWay.matched),
          deferred_(underWay.deferred),
          interrupted_(underWay.interrupted),
          serial_(serial) {}

    void reach();

private:
    /// How many barriers the ranks of a communicator have entered, and to how many deferred collectives they have come.
    struct Common {
        std::uint64_t leastEntered = 0;
        std::uint64_t mostEntered = 0;
        std::uint64_t leastDeferred = 0;
        bool haveAccessed = false;    ///< any has accessed the window in the region
        bool haveEpoch = false;       ///< any has an epoch of the window open that no fence ends
    };

    void takeReceivesBack();
    void dropMatched();
    void joinCalls();
    void settle(Communicator& communicator);
    Common compare(const Communicator& communicator) const;
    void await(EntryBarrier& barrier);
    void catchUp(Communicator& communicator, const Common& common);
    void sendMarkers(const Communicator& communicator, const std::vector<int>& hasSent);
    void completeAccesses(const Communicator& communicator, const Common& common) const;
    void drop(const Communicator& communicator, int markerCount);
    void discard(MPI_Message message, const MPI_Status& status);

    Channel& channel_;
    Requests& requests_;
    MatchedMessages& matched_;
    DeferredCollectives& deferred_;
    Interrupted* interrupted_;
    std::uint32_t serial_;
    std::vector<EntryBarrier> barriers_;
    std::vector<MPI_Request> markers_;
    std::vector<std::byte> scratch_;
};

}    // namespace ferry::pmpi
