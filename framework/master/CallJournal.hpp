#pragma once

#include <exception>
#include <functional>
#include <utility>

#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/master/Call.hpp>

namespace ferry::detail {

/// The journal of a job as its master uses it: calls get the replies of an earlier run from it, and leave their own replies in it. A job
/// may have no journal.
///
/// Threads: the master's.
/// Errors: a failure of the journal belongs to the job, not to a call. It is thrown once, and it stops the job. Later calls throw
///         Terminated.
class CallJournal {
public:
    using TimePoint = Call::TimePoint;

    /// The journal of `beside` must outlive the object.
    explicit CallJournal(const BesideJob& beside) : journal_(beside.journal), stopJob_(beside.stopJob) {}

    bool isThere() const noexcept { return journal_ != nullptr; }

    /// Answers the call with the reply of an earlier run. False: no earlier run has done the task; the call gets its key in the journal,
    /// and so does the result that the call makes.
    bool answer(Call& call, const Parcel& task, int masterRank);

    /// Adds the reply of the call, if the call has a key. A failure is kept for throwIfFailed(): the reply counts in spite of it.
    void add(const Call& call) noexcept;
    void throwIfFailed() {
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

    /// Writes the added replies; to be called before any caller sees them.
    void write(TimePoint now) {
        if (journal_ != nullptr) writeAdded(now);
    }
    /// The time at which write() has work to do if no reply is added; TimePoint::max(): never.
    TimePoint nextFlush() const noexcept;

private:
    template <class Use>
    void use(Use&& use);
    void writeAdded(TimePoint now);

    Journal* journal_;    ///< null: no journal
    std::function<void(const std::exception_ptr&)> stopJob_;
    bool hasFailed_ = false;
    std::exception_ptr failure_;    ///< failure of add() that was not thrown yet
};

}    // namespace ferry::detail
