#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/Bundles.hpp>
#include <ferry/framework/master/JobEvents.hpp>
#include <ferry/framework/master/OpenCalls.hpp>
#include <ferry/framework/schedule/BatchPace.hpp>
#include <ferry/framework/schedule/Schedule.hpp>

namespace ferry::detail {

/// Sends the waiting calls to the slaves that the schedule names, many in a letter, and asks slow slaves to give calls back.
///
/// Without memory an unsent batch stays for a later step. When a letter is lost for lack of memory, its calls fail.
/// Threads: the master's. Errors: those of the mailbox; std::bad_alloc, after which the caller tries again later.
class TaskSender {
public:
    using TimePoint = Call::TimePoint;
    /// Fails a call that no slave has.
    using Fail = std::function<void(Call&, const std::exception_ptr&)>;

    /// All arguments but the last must outlive the object.
    TaskSender(Connector& connector, Schedule& schedule, OpenCalls& calls, JobEvents& events, KeptResults& kept, Fail fail);
    TaskSender(const TaskSender&) = delete;
    TaskSender& operator=(const TaskSender&) = delete;

    Bundles& bundles() noexcept { return bundles_; }

    /// Sends calls until none waits or no slave has room.
    void feed(Schedule::Supply supply);
    /// Takes a call back from the batch for which there was no memory yet. False: the call is not in that batch.
    bool takeOut(std::int32_t call);
    /// Asks slow slaves to give back calls that idle slaves could begin.
    void recall();

    /// Notes that the master has waited for letters since `begin`.
    void noteWait(TimePoint begin);
    /// Adapts the size of the batches to the waits and letters of the last time.
    void findPace(TimePoint now);

private:
    void send(const Schedule::Assignment& batch);
    IntBuffer letterOf(std::span<Call* const> calls);
    bool isKept(const Call& call) const noexcept;
    void noteSent();

    Connector& connector_;
    Schedule& schedule_;
    OpenCalls& calls_;
    JobEvents& events_;
    const Fail fail_;
    const bool survivesLosses_;    ///< true: the request of a task is kept, so that it can be sent again
    Bundles bundles_;
    BatchPace pace_{schedule_.usualBatchTime()};
    std::vector<Call*> sent_;    ///< the calls of the batch that is being sent. A member so that a batch allocates no list
    std::optional<Schedule::Assignment> unsent_;    ///< the schedule counts this batch as sent to its slave
    std::uint32_t sendCount_ = 0;
};

}    // namespace ferry::detail
