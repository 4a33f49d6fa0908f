#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// The kinds of requests. MatchedReceive: a receive of a message that a matched probe has taken, so it can only complete. Collective: a
/// deferred collective. File, Window: an access that waits for no other rank. Post, Exposure, Arrival: no requests, but waits for
/// MPI_Win_post, for MPI_Win_complete, and for the same call of another rank.
enum class RequestKind : std::uint8_t { Send, Receive, MatchedReceive, Collective, File, Window, Post, Exposure, Arrival };

/// The operation of a request.
struct Operation {
    RequestKind kind = RequestKind::Send;
    int peer = MPI_PROC_NULL;    ///< source or destination of a message
    int tag = MPI_ANY_TAG;       ///< for a collective: its number among those on the communicator, in the region
    MPI_Comm communicator = MPI_COMM_NULL;
    bool isPersistent = false;    ///< true: the handle stays when the operation is over
};

/// The requests that were started in a region and are not over yet. The table has open addressing, since each non-blocking call of the
/// program passes here. Persistent requests stay in it from their first start in the region until they are freed: some may be inactive.
class Requests {
public:
    struct Entry {
        MPI_Request request = MPI_REQUEST_NULL;
        Operation operation{};
    };

    Requests() : slots_(64) {}

    /// Adds a request. Does nothing if it is in the table: an MPI may use one handle for all sends that were over at once.
    void add(MPI_Request request, const Operation& operation);
    /// Removes a request. Does nothing if it is not in the table.
    void remove(MPI_Request request) noexcept;
    bool contains(MPI_Request request) const noexcept;
    /// The operation of a request; null: the request is not in the table.
    const Operation* find(MPI_Request request) const noexcept;
    bool isEmpty() const noexcept { return count_ == 0; }
    std::size_t count() const noexcept { return count_; }

    std::vector<Entry> all() const;
    void clear() noexcept;

private:
    std::size_t homeOf(MPI_Request request) const noexcept;
    std::size_t placeOf(MPI_Request request) const noexcept;
    void grow();

    std::vector<Entry> slots_;    // the number of slots is a power of two, and at most half of them are taken
    std::size_t count_ = 0;
};

}    // namespace ferry::pmpi
