#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MatchedMessages.hpp>
#include <ferry/guard/known/Requests.hpp>
#include <ferry/guard/meeting/EntryBarrier.hpp>
#include <ferry/guard/meeting/MeetingPlace.hpp>
#include <ferry/guard/region/DeferredCollectives.hpp>
#include <ferry/guard/region/Interrupted.hpp>

namespace ferry::pmpi {

/// Restores the communicators of a failed region to their state before it. Each rank does this after the meeting, before any exception is
/// thrown.
///
/// Receives under way are cancelled. Messages that matched probes have taken are received and dropped. The following is done on each
/// communicator that any rank has used, one after the other:
/// 1. The ranks compare how many barriers they have entered.
/// 2. Non-blocking collectives to which all ranks have come are made if the ranks agree on them, and ranks with fewer barriers enter the
/// missing ones.
/// 3. A fence completes accesses to windows.
/// 4. Each rank sends a marker after its messages, and receives and drops all messages that come before the markers of others.
/// 5. For a window: epochs of MPI_Win_start and MPI_Win_post are ended.
///
/// Then all sends are over. Ownership: borrows all arguments.
class Quiescence {
public:
    /// The operations that this rank has under way.
    struct UnderWay {
        Requests& requests;
        MatchedMessages& matched;
        DeferredCollectives& deferred;
        Interrupted* interrupted;    ///< may be null
    };

    /// serial: the number of the region in this process (Communicator::usedIn, sentIn). Higher numbers belong to regions inside of it.
    Quiescence(MeetingPlace& meetingPlace, const UnderWay& underWay, std::uint32_t serial)
        : meetingPlace_(meetingPlace),
          requests_(underWay.requests),
          matched_(underWay.matched),
          deferred_(underWay.deferred),
          interrupted_(underWay.interrupted),
          serial_(serial) {}

    void reach();

private:
    /// A comparison over the ranks of a communicator: barriers that they have entered, and deferred collectives that some have made.
    struct Common {
        std::uint64_t leastEntered = 0;
        std::uint64_t mostEntered = 0;
        std::uint64_t madeDeferred = 0;     ///< some rank may have made them
        std::uint64_t leastDeferred = 0;    ///< all ranks have come to them
        bool haveAccessed = false;          ///< some rank has accessed the window in the region
        bool haveEpoch = false;             ///< some rank has an open epoch of the window that no fence ends
    };

    void takeReceivesBack();
    void dropMatched();
    void joinCalls();
    void settle(Communicator& communicator);
    Common compare(const Communicator& communicator) const;
    bool areDeferredEqual(const Communicator& communicator, const Common& common) const;
    template <std::size_t Count>
    std::array<std::uint64_t, Count> greatest(const Communicator& communicator, std::array<std::uint64_t, Count> known) const;
    void await(EntryBarrier& barrier);
    void catchUp(Communicator& communicator, const Common& common);
    void sendMarkers(const Communicator& communicator, const std::vector<int>& hasSent);
    void completeAccesses(const Communicator& communicator, const Common& common) const;
    void drop(const Communicator& communicator, int markerCount);
    void endEpochs(Communicator& communicator);
    void discard(MPI_Message message, const MPI_Status& status);

    MeetingPlace& meetingPlace_;
    Requests& requests_;
    MatchedMessages& matched_;
    DeferredCollectives& deferred_;
    Interrupted* interrupted_;
    std::uint32_t serial_;
    std::vector<EntryBarrier> barriers_;
    std::vector<MPI_Request> markers_;
    std::vector<int> unanswered_;    // ranks of a window whose MPI_Win_post this rank has not answered by MPI_Win_start
    std::vector<std::byte> scratch_;
};

}    // namespace ferry::pmpi
