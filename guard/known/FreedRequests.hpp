#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

namespace ferry::pmpi {

/// The requests that the program has freed while they were under way. MPI frees them when they are over; until then a region must know
/// them.
///
/// Threads: one at a time.
class FreedRequests {
public:
    /// isPersistent: the handle stays when the request is over.
    void add(MPI_Request request, bool isPersistent) { all_.push_back({request, isPersistent}); }
    /// Adds the requests of another object, which has none afterwards.
    void take(FreedRequests& other);
    std::size_t count() const noexcept { return all_.size(); }

    /// Whether it is time for freeOver(): there are twice as many requests as after the last time.
    bool haveGrown() const noexcept { return all_.size() >= nextCount_; }
    /// Frees the requests that are over, and calls forget(handle) for each of them.
    template <class Forget>
    void freeOver(Forget forget) {
        for (const MPI_Request request : takeOver()) forget(request);
    }
    /// Gives all requests to MPI.
    void freeAll();
    /// Frees the persistent requests and drops the others, which MPI has freed. None is under way any more.
    void endAll();

private:
    struct Freed {
        MPI_Request request = MPI_REQUEST_NULL;
        bool isPersistent = false;
    };

    static bool isOver(const Freed& one);
    std::vector<MPI_Request> takeOver();

    static constexpr std::size_t leastCount = 16;

    std::vector<Freed> all_;
    std::size_t nextCount_ = leastCount;
};

}    // namespace ferry::pmpi
