#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// Small side messages of the guard between the ranks of a meeting place, beside the program's messages. No rank waits for them.
///
/// A side message belongs to a region. Side messages of a region that is over are dropped. Side messages of the next region, which other
/// ranks may have entered before this rank, are kept until it begins. The receive is posted for the life of the object.
class SideMessages {
public:
    using Contents = std::array<std::int64_t, 4>;
    struct SideMessage {
        int from = -1;
        Contents contents{};
    };

    /// communicator: the meeting place's duplicate. tag: used by no other messages on it.
    SideMessages(MPI_Comm communicator, int size, int tag);
    SideMessages(const SideMessages&) = delete;
    SideMessages& operator=(const SideMessages&) = delete;

    void beginRegion(std::int32_t region);
    void send(int to, const Contents& contents);
    /// A side message that has arrived. Empty: there is none.
    std::optional<SideMessage> next();

    /// Receives all side messages that are still under way. Collective.
    void end();

private:
    using Packet = std::array<std::int64_t, 5>;    // number of the region, then the contents
    struct Sent {
        Packet packet{};
        MPI_Request request = MPI_REQUEST_NULL;
    };
    struct Arrived {
        std::int64_t region = 0;
        SideMessage sideMessage;
    };

    void postReceive();
    void take();
    void dropSent();

    MPI_Comm communicator_;
    int tag_;
    std::int32_t region_ = 0;
    Packet arriving_{};
    MPI_Request arrival_ = MPI_REQUEST_NULL;
    std::list<Arrived> arrived_;
    std::list<Sent> sent_;
    std::vector<int> sentCounts_;    // by rank, for end()
    int receivedCount_ = 0;
};

}    // namespace ferry::pmpi
