#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/meeting/SideMessages.hpp>

namespace ferry::pmpi {

/// The agreement of ranks that were interrupted in the barrier before a collective call: whether they make that call.
///
/// A rank meets the others after a failure. If it then finds that all ranks have entered the barrier, it must make the call, since other
/// ranks may be in it. It cannot know whether other interrupted ranks have found this out. So it tells them before the call.
class JoinedCalls {
public:
    struct Place {
        std::int32_t communicator = 0;    ///< id of the communicator
        std::uint64_t number = 0;         ///< number of the barrier on the communicator
    };

    /// communicator: the meeting place's duplicate.
    JoinedCalls(MPI_Comm communicator, int rank, int size);

    void beginRegion(std::int32_t region);
    /// Tells the other ranks that this rank makes the call behind this barrier.
    void tell(const Communicator& communicator, std::uint64_t number);
    /// The call that another rank has told. Empty: no further side message has come.
    std::optional<Place> next();
    /// Starts to count the side messages that this rank will have received. Collective on the meeting place, when this rank tells no more
    /// calls.
    MPI_Request startCount(int* count);

    /// Receives all side messages that are still under way. Collective.
    void end() { sideMessages_.end(); }

private:
    MPI_Comm communicator_;
    int rank_;
    SideMessages sideMessages_;
    std::vector<int> toldCounts_;    // number of side messages in this region, by rank
};

}    // namespace ferry::pmpi
