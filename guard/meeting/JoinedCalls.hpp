#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/Letters.hpp>

namespace ferry::pmpi {

/// How ranks that were interrupted in the barrier before a collective call agree to make that call.
///
/// A rank that meets the others after a failure, and finds that all have entered the barrier, has to make the call: others may be in it. It
/// cannot know whether those that were interrupted too have found it out. So it tells them before.
class JoinedCalls {
public:
    struct Place {
        std::int32_t communicator = 0;    ///< its id
        std::uint64_t number = 0;         ///< of the barrier there
    };

    /// communicator: the channel's duplicate.
    JoinedCalls(MPI_Comm communicator, int rank, int size);

    void beginRegion(std::int32_t region);
    /// This rank makes the call behind this barrier.
    void tell(const Communicator& communicator, std::uint64_t number);
    /// What another rank has told; nothing: no more has come.
    std::optional<Place> next();
    /// Starts to count how many of them this rank will have got. Collective on the channel, when this rank tells nothing any more.
    MPI_Request startCount(int* count);

    /// Receives what is still on its way. Collective.
    void end() { letters_.end(); }

private:
    MPI_Comm communicator_;
    int rank_;
    Letters letters_;
    std::vector<int> toldCounts_;    // by rank, in this region
};

}    // namespace ferry::pmpi
