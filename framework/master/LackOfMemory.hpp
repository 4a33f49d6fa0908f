#pragma once

#include <exception>
#include <new>

#include <ferry/connector/message/Mailbox.hpp>

namespace ferry::detail {

/// The steps of a dispatcher for which there was no memory. Their work stays to be done, and no call fails. The job fails when the lack
/// lasts.
class LackOfMemory {
public:
    /// The mailbox must outlive the object.
    explicit LackOfMemory(Mailbox& mailbox) noexcept : mailbox_(mailbox) {}

    /// Waits a moment for memory. The failure must be the exception that is being handled. Errors: that exception, when it is of another
    /// rank, when the job is stopped, and after many steps without memory, which end the job.
    void bear(const std::bad_alloc& failure);
    /// Notes a step that had enough memory.
    void noteEnough() noexcept { stepCount_ = 0; }
    /// Ends the job with the failure.
    [[noreturn]] void failJob(const std::exception_ptr& failure);

private:
    Mailbox& mailbox_;
    int stepCount_ = 0;    ///< number of steps without memory, one behind the other
};

}    // namespace ferry::detail
