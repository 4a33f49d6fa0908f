#pragma once

#include <cstdint>
#include <exception>
#include <functional>

#include <ferry/connector/collective/Collectives.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/region/Agreement.hpp>

namespace ferry {

/// Runs guarded regions: parts of a program that all ranks enter, and leave together: all in the normal way, or all with what was thrown.
///
/// A rank whose part throws tells all others, who are woken from whatever they wait for (RegionFailed). Each rank, failed or not, then
/// reports to its parent in the tree of ranks what it has thrown; the verdict comes down from rank 0. Nothing is thrown before all have met
/// there, so that everything that was sent in the region lies between two known numbers, and is dropped whenever it comes. Ownership:
/// borrows both arguments. Errors: see Connector::guarded.
class Guard {
public:
    Guard(Mailbox& mailbox, Collectives& collectives) : mailbox_(mailbox), collectives_(collectives) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

    void run(const std::function<void()>& function);

private:
    /// How things stood when this rank entered a region.
    struct Entry {
        Collectives::Mark collectives;
        std::int32_t clock = 0;
    };

    void end(const std::exception_ptr& thrown, const Entry& entry);
    RegionReport reportOf(const std::exception_ptr& thrown, const Entry& entry);
    [[noreturn]] void giveUp(const std::exception_ptr& reason);
    void tellThatAllHasBeenSent();

    Mailbox& mailbox_;
    Collectives& collectives_;
    unsigned failedCount_ = 0;
};

}    // namespace ferry
