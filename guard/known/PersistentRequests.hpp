#pragma once

#include <cstdint>
#include <unordered_map>

#include <mpi.h>

#include <ferry/guard/known/Requests.hpp>

namespace ferry::pmpi {

/// The guard's data about a persistent request.
struct PersistentRequest {
    RequestKind kind = RequestKind::Send;
    int peer = MPI_PROC_NULL;
    int tag = MPI_ANY_TAG;
    std::int32_t communicator = -1;    ///< id of the communicator; -1: not known
};

/// The persistent requests of the program, in regions and outside of them, from the call that makes them until they are freed.
///
/// Threads: one at a time.
class PersistentRequests {
public:
    static PersistentRequests& ofProcess();

    void add(MPI_Request request, const PersistentRequest& persistent) { all_.insert_or_assign(request, persistent); }
    /// The data of a request; null: the request is not known.
    const PersistentRequest* find(MPI_Request request) const noexcept {
        if (all_.empty()) [[likely]]
            return nullptr;
        const auto found = all_.find(request);
        return found != all_.end() ? &found->second : nullptr;
    }
    /// Removes a request. True: it was known.
    bool remove(MPI_Request request) noexcept { return !all_.empty() && all_.erase(request) != 0; }
    /// Changes the handle of a request. A start may give another handle: Open MPI does so while the last send is still under way.
    void rename(MPI_Request before, MPI_Request now);

private:
    std::unordered_map<MPI_Request, PersistentRequest> all_;
};

}    // namespace ferry::pmpi
