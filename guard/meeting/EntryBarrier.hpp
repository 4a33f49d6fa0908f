#pragma once

#include <cstdint>

#include <mpi.h>

#include <ferry/guard/known/ArrivalTree.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

/// A barrier of the guard on a communicator, to which this rank comes: by counters in memory where its ranks share some, else by MPI. It
/// waits for nobody, and must be over before it is destroyed.
class EntryBarrier {
public:
    /// None is under way.
    EntryBarrier() = default;
    /// This rank comes to it. Those of one communicator are over in the order in which they were begun.
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
    /// Whether MPI does nothing for it, while this rank asks whether it is over.
    bool isInMemory() const noexcept { return counter_ != nullptr; }
    /// Whether all have come: then it is under way no more.
    bool isOver() {
        if (counter_ != nullptr) return isCounted();
        if (request_ == MPI_REQUEST_NULL) return true;
        int isDone = 0;
        must(PMPI_Test(&request_, &isDone, MPI_STATUS_IGNORE), "MPI_Test");
        return isDone != 0;
    }

private:
    bool isCounted() noexcept {
        constexpr int lookCount = 64;    // some 30 ns: most barriers take no longer
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
