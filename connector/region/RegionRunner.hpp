#pragma once

#include <cstdint>
#include <exception>
#include <functional>

#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

struct RegionReport;

/// Runs guarded regions: parts of a program that all ranks enter and leave together. All ranks leave in the normal way, or all with the
/// exceptions that were thrown.
///
/// A rank whose part throws tells all other ranks. They are woken from their waits (RegionFailed). Each rank, failed or not, then reports
/// its exceptions to its parent in the tree of ranks. The verdict comes down from rank 0. No rank throws before all ranks have met there.
/// So all letters of the region have region numbers between two known numbers, and are dropped whenever they come.
/// Ownership: borrows both arguments. Errors: see Connector::guarded.
class RegionRunner {
public:
    RegionRunner(Mailbox& mailbox, Collectives& collectives) : mailbox_(mailbox), collectives_(collectives) {}
    RegionRunner(const RegionRunner&) = delete;
    RegionRunner& operator=(const RegionRunner&) = delete;

    void run(const std::function<void()>& function);

private:
    /// The state of this rank when it entered a region.
    struct Entry {
        Collectives::Mark collectives;
        std::int32_t clock = 0;
    };

    void end(const std::exception_ptr& thrown, const Entry& entry);
    void throwIfLost(const std::exception_ptr& thrown) const;
    void throwIfSummoned(const std::exception_ptr& thrown) const;
    RegionReport reportOf(const std::exception_ptr& thrown, const Entry& entry);
    [[noreturn]] void giveUp(const std::exception_ptr& reason);
    void tellThatAllHasBeenSent();

    Mailbox& mailbox_;
    Collectives& collectives_;
    unsigned failedCount_ = 0;
};

}    // namespace ferry::detail
