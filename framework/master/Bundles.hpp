#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <vector>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/Bundle.hpp>
#include <ferry/framework/master/JobEvents.hpp>
#include <ferry/framework/master/KeptResults.hpp>
#include <ferry/framework/master/LetterInHand.hpp>
#include <ferry/framework/master/OpenCalls.hpp>
#include <ferry/framework/schedule/Schedule.hpp>
#include <ferry/framework/schedule/TaskOptions.hpp>

namespace ferry::detail {

/// The bundles of a job: they spare the master the work of a call for each task.
///
/// Threads: the master's. Errors: a std::bad_alloc changes nothing, unless a function says otherwise.
class Bundles {
public:
    using TimePoint = OpenCalls::TimePoint;

    /// All arguments must outlive the object.
    Bundles(Connector& connector, Schedule& schedule, OpenCalls& calls, JobEvents& events, KeptResults& kept);
    Bundles(const Bundles&) = delete;
    Bundles& operator=(const Bundles&) = delete;

    /// The results that stay with slaves.
    KeptResults& kept() noexcept { return kept_; }
    /// The number of tasks like the one of the call that should travel in one bundle; 1: none.
    std::size_t sizeFor(const Call& call) const { return schedule_.bundleSize(call.facts); }
    /// A bundle without tasks, which is not submitted yet.
    std::shared_ptr<Bundle> make(const TaskOptions& options);
    /// Adds the letter of a task. The number of the task is numberOfNext(). False: the task is too large, and is not added.
    bool add(Bundle& bundle, std::int32_t classId, IntBuffer parcel);
    static std::int32_t numberOfNext(const Bundle& bundle) noexcept {
        return bundle.number + 1 + static_cast<std::int32_t>(bundle.slots.size());
    }
    /// Adds a place for a task that has failed already.
    void addFailed(Bundle& bundle, std::exception_ptr failure);
    /// Fails the open tasks of a bundle that was not submitted.
    void fail(Bundle& bundle, const std::exception_ptr& failure);
    /// Opens the call of the bundle, which then waits for a sub-master. A bundle without open tasks opens no call.
    void submit(const std::shared_ptr<Bundle>& bundle);

    /// Takes in the reply to a task of a bundle, which has come at `now`. False: the task is in no bundle.
    bool takeInReply(LetterInHand& hand, const Parcel& reply, TimePoint now);
    /// The open call with this number, if the rank has it; null otherwise. A task of a bundle becomes a call of its own.
    std::shared_ptr<Call> callAt(int rank, std::int32_t number);
    /// Makes all tasks that a slave has calls of their own. A std::bad_alloc leaves some of them in bundles.
    void breakUpAt(int slave);
    /// Takes a batch back that no sub-master is to get: all its calls wait again, and the tasks of bundles are calls of their own. A
    /// std::bad_alloc leaves a part of the batch to be taken back later.
    void takeBack(Schedule::Assignment& batch);
    bool isAnyIn(const Schedule::Assignment& batch) const;
    /// The numbers of the tasks that these calls stand for and that are not over.
    std::vector<std::int32_t> tasksOf(const std::vector<std::int32_t>& calls) const;
    /// Notes that nobody asks for replies any more. Returns the open calls of the bundle.
    std::vector<std::shared_ptr<Call>> drop(Bundle& bundle);
    /// Ends the open tasks of a call that has ended. Null: there is no failure, since no task is open.
    void endAll(Call& call, const std::exception_ptr& failure);

private:
    static std::size_t placeOf(const Call& call, std::int32_t task) noexcept;
    std::shared_ptr<Call> split(const std::shared_ptr<Call>& whole, std::size_t place);
    void end(Bundle& bundle, std::size_t place) noexcept;
    void closeIfEmpty(Call& call);

    Connector& connector_;
    Schedule& schedule_;
    OpenCalls& calls_;
    JobEvents& events_;
    KeptResults& kept_;
};

}    // namespace ferry::detail
