#include <ferry/framework/master/LackOfMemory.hpp>

#include <chrono>

#include <ferry/connector/exception/Remote.hpp>
#include <ferry/connector/message/state/DueFailures.hpp>

namespace ferry::detail {

namespace {

// The job fails after this number of steps without memory, which are one millisecond apart.
constexpr int mostSteps = 500;

}    // namespace

void LackOfMemory::bear(const std::bad_alloc& failure) {
    const bool isOfAnotherRank = dynamic_cast<const RemoteInformation*>(&failure) != nullptr;
    if (isOfAnotherRank || mailbox_.due().isStopped()) throw;
    if (++stepCount_ == mostSteps) failJob(std::current_exception());
    mailbox_.transport().idle(std::chrono::milliseconds(1));
}

void LackOfMemory::failJob(const std::exception_ptr& failure) {
    mailbox_.due().stop(failure);
    std::rethrow_exception(failure);
}

}    // namespace ferry::detail
