#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <mpi.h>

#include <ferry/guard/known/ArrivalTree.hpp>
#include <ferry/guard/known/Communicators.hpp>
#include <ferry/guard/known/MpiMust.hpp>

namespace ferry::pmpi {

/// This rank's part in a barrier of the guard on a communicator. The barrier uses counters in memory where the ranks share it, otherwise
/// MPI. The constructor does not wait. The barrier must be over before the object is destroyed.
///
/// The barrier also compares the calls to which the ranks have come, by hashes.
class EntryBarrier {
public:
    /// No barrier is under way.
    EntryBarrier() = default;
    /// Enters the barrier. The barriers of one communicator complete in the order in which they were begun. hash: of the call to which this
    /// rank has come.
    EntryBarrier(Communicator& communicator, std::uint32_t hash) {
        if (communicator.size == 1) return;
        ArrivalTree& tree = communicator.arrivals;
        if (tree.isThere()) [[likely]] {
            const std::uint64_t number = ++communicator.arrivalCount;
            tree_ = &tree;
            target_ = tree.target(number);
            tree.arrive(number, hash);
        } else {
            values_ = std::make_shared<Values>();
            values_->own = {hash, ~std::uint64_t{hash}};
            start(communicator);
        }
    }
    /// Enters a barrier for a rank that makes no call behind it.
    static EntryBarrier ofNoCall(Communicator& communicator) {
        EntryBarrier barrier;
        if (communicator.arrivals.isThere() || communicator.size == 1) return EntryBarrier(communicator, 0);
        barrier.values_ = std::make_shared<Values>();
        barrier.start(communicator);
        return barrier;
    }

    bool isUnderWay() const noexcept { return tree_ != nullptr || request_ != MPI_REQUEST_NULL; }
    /// Whether the barrier uses memory. MPI then makes no progress while this rank calls isOver().
    bool isInMemory() const noexcept { return tree_ != nullptr; }
    /// Whether all ranks have entered the barrier. After true the barrier is no longer under way.
    bool isOver() {
        if (tree_ != nullptr) return isCounted();
        if (request_ == MPI_REQUEST_NULL) return true;
        int isDone = 0;
        must(PMPI_Test(&request_, &isDone, MPI_STATUS_IGNORE), "MPI_Test");
        if (isDone != 0) isAgreed_ = values_->greatest[0] == ~values_->greatest[1];
        return isDone != 0;
    }
    /// Whether all ranks have come to equal calls; valid after isOver().
    bool isAgreed() const noexcept { return isAgreed_; }

private:
    /// The greatest value and the greatest complement show the least value, too.
    struct Values {
        std::array<std::uint64_t, 2> own{};
        std::array<std::uint64_t, 2> greatest{};
    };

    void start(const Communicator& communicator) {
        must(PMPI_Iallreduce(values_->own.data(), values_->greatest.data(), 2, MPI_UINT64_T, MPI_MAX, communicator.handle, &request_),
             "MPI_Iallreduce");
    }

    bool isCounted() noexcept {
        constexpr int lookCount = 64;    // about 30 ns: most barriers take no longer
        for (int i = 0; i < lookCount; ++i) {
            const std::uint64_t value = tree_->root().load(std::memory_order_acquire);
            const std::uint64_t count = ArrivalTree::countOf(value);
            if (count < target_) continue;
            // A rank that has come to a later barrier has found that the ranks agree here.
            isAgreed_ = count > target_ || tree_->isAgreed(value);
            tree_ = nullptr;
            return true;
        }
        return false;
    }

    const ArrivalTree* tree_ = nullptr;
    std::uint64_t target_ = 0;
    MPI_Request request_ = MPI_REQUEST_NULL;
    std::shared_ptr<Values> values_;    // at a fixed place while MPI uses it
    bool isAgreed_ = true;
};

}    // namespace ferry::pmpi
