#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// MatchedReceive: of a message that a matched probe has taken already, so that it can only complete. Collective: one that was deferred.
/// File: waits for no other rank.
enum class RequestKind : std::uint8_t { Send, Receive, MatchedReceive, Collective, File };

/// What a request is for.
struct Operation {
    RequestKind kind = RequestKind::Send;
    int peer = MPI_PROC_NULL;    ///< where a message goes to or comes from
    int tag = MPI_ANY_TAG;       ///< of a collective its number among those on the communicator, in the region
    MPI_Comm communicator = MPI_COMM_NULL;
    bool isPersistent = false;    ///< then the handle stays when the operation is over
};

/// The requests that were started in a region and are not over yet: a table with open addressing, since each non-blocking call of the
/// program comes by. Persistent ones are in it from their first start in the region until they are freed: some may be inactive.
class Requests {
public:
    struct Entry {
        MPI_Request request = MPI_REQUEST_NULL;
        Operation operation{};
    };

    Requests() : slots_(64) {}

    /// Does nothing for one that is in it: an MPI may use one handle for all sends that were over at once.
    void add(MPI_Request request, const Operation& operation);
    /// Does nothing for one that is not in it.
    void remove(MPI_Request request) noexcept;
    bool contains(MPI_Request request) const noexcept;
    /// Null for one that is not in it.
    const Operation* find(MPI_Request request) const noexcept;
    bool isEmpty() const noexcept { return count_ == 0; }
    std::size_t count() const noexcept { return count_; }

    std::vector<Entry> all() const;
    void clear() noexcept;

private:
    std::size_t homeOf(MPI_Request request) const noexcept;
    std::size_t placeOf(MPI_Request request) const noexcept;
    void grow();

    std::vector<Entry> slots_;    // a power of two of them, at most half of which are taken
    std::size_t count_ = 0;
};

}    // namespace ferry::pmpi
