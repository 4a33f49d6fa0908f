#pragma once

#include <cstdint>

#include <mpi.h>

#include <ferry/guard/known/ArrivalTree.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

/// This rank's part in a barrier of the guard on a communicator. The barrier uses counters in memory where the ranks share it, otherwise
/// MPI. The constructor does not wait. The barrier must be over before the object is destroyed.
class EntryBarrier {
public:
    /// No barrier is under way.
    EntryBarrier() = default;
    /// Enters the barrier. The barriers of one communicator complete in the order in which they were begun.
    explicit EntryBarrier(Communicator& communicator) {
        if (communicator.size == 1) return;
        ArrivalTree& tree = communicator.arrivals;
        if (tree.isThere()) [[likely]] {
            const std::uint64_t number = ++communicator.arrivalCount;
            counter_ = &tree.root();
            target_ = tree.target(number);
            tree.arrive(number);
        } else {
            must(PMPI_Ibarrier(communicator.handle, &request_), "MPI_Ibarrier");
        }
    }

    bool isUnderWay() const noexcept { return counter_ != nullptr || request_ != MPI_REQUEST_NULL; }
    /// Whether the barrier uses memory. MPI then makes no progress while this rank calls isOver().
    bool isInMemory() const noexcept { return counter_ != nullptr; }
    /// Whether all ranks have entered the barrier. After true the barrier is no longer under way.
    bool isOver() {
        if (counter_ != nullptr) return isCounted();
        if (request_ == MPI_REQUEST_NULL) return true;
        int isDone = 0;
        must(PMPI_Test(&request_, &isDone, MPI_STATUS_IGNORE), "MPI_Test");
        return isDone != 0;
    }

private:
    bool isCounted() noexcept {
        constexpr int lookCount = 64;    // about 30 ns: most barriers take no longer
        for (int i = 0; i < lookCount; ++i) {
            if (counter_->load(std::memory_order_acquire) < target_) continue;
            counter_ = nullptr;
            return true;
        }
        return false;
    }

    const ArrivalTree::Counter* counter_ = nullptr;
    std::uint64_t target_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

}    // namespace ferry::pmpi
