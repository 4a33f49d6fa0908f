#pragma once

#include <cstdint>
#include <unordered_map>

#include <mpi.h>

#include <ferry/guard/known/Requests.hpp>

namespace ferry::pmpi {

/// What the guard knows of a persistent request.
struct PersistentRequest {
    RequestKind kind = RequestKind::Send;
    int peer = MPI_PROC_NULL;
    int tag = MPI_ANY_TAG;
    std::int32_t communicator = -1;    ///< its id; -1 for one that is not known
};

/// The persistent requests of the program, from the call that makes them until they are freed, in regions and outside of them.
///
/// Threads: one at a time.
class PersistentRequests {
public:
    static PersistentRequests& ofProcess();

    void add(MPI_Request request, const PersistentRequest& persistent) { all_.insert_or_assign(request, persistent); }
    /// Null for one that is not in it.
    const PersistentRequest* find(MPI_Request request) const noexcept {
        if (all_.empty()) [[likely]]
            return nullptr;
        const auto found = all_.find(request);
        return found != all_.end() ? &found->second : nullptr;
    }
    /// Whether it was in it.
    bool remove(MPI_Request request) noexcept { return !all_.empty() && all_.erase(request) != 0; }
    /// A start may give another handle: Open MPI does while the last send is still on its way.
    void rename(MPI_Request before, MPI_Request now);

private:
    std::unordered_map<MPI_Request, PersistentRequest> all_;
};

}    // namespace ferry::pmpi
