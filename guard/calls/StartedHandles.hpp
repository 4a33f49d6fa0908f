#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <mpi.h>

#include <ferry/guard/known/PersistentRequests.hpp>
#include <ferry/guard/region/Region.hpp>

namespace ferry::pmpi {

/// The requests that a call of the program waits for or tests, as they were before the call. MPI sets completed ones to MPI_REQUEST_NULL.
///
/// Ownership: borrows the program's array.
class StartedHandles {
public:
    StartedHandles(MPI_Request* requests, int count) : requests_(requests, count > 0 ? static_cast<std::size_t>(count) : 0) {
        if (requests_.size() > few_.size()) many_.resize(requests_.size());
        MPI_Request* copy = before();
        for (std::size_t i = 0; i < requests_.size(); ++i) copy[i] = requests_[i];
    }

    /// Removes the requests that are over from the region.
    void settle(Region& region) {
        const MPI_Request* copy = before();
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            if (requests_[i] == MPI_REQUEST_NULL) region.forget(copy[i]);
        }
    }

    /// Clears the program's handles after a failure of the region, which completes its requests. Persistent requests keep their handles.
    void drop(const Region& region) {
        for (MPI_Request& request : requests_) {
            const Operation* operation = region.requests().find(request);
            if (operation != nullptr && !operation->isPersistent) request = MPI_REQUEST_NULL;
        }
    }

    /// Whether none of the handles was a request before the call.
    bool wereEmpty() noexcept {
        const MPI_Request* copy = before();
        return std::all_of(copy, copy + requests_.size(), [](MPI_Request request) { return request == MPI_REQUEST_NULL; });
    }
    /// The handles as the program has them now.
    std::span<const MPI_Request> now() const noexcept { return requests_; }

private:
    MPI_Request* before() noexcept { return many_.empty() ? few_.data() : many_.data(); }

    std::span<MPI_Request> requests_;
    std::array<MPI_Request, 16> few_;    // the first ones are set in the constructor
    std::vector<MPI_Request> many_;      // used instead of few_ when there are more
};

/// Clears handles without a wait, while the stack is unwound. They are empty as after a wait; persistent requests keep their handles.
inline void clearHandles(MPI_Request* requests, int count) {
    for (int i = 0; i < count; ++i) {
        if (PersistentRequests::ofProcess().find(requests[i]) == nullptr) requests[i] = MPI_REQUEST_NULL;
    }
}

}    // namespace ferry::pmpi
