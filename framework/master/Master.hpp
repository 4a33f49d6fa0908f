#pragma once

#include <memory>
#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/Dispatcher.hpp>
#include <ferry/framework/master/Future.hpp>
#include <ferry/framework/master/MapRange.hpp>
#include <ferry/framework/master/WhenAll.hpp>
#include <ferry/framework/schedule/TaskOptions.hpp>
#include <ferry/framework/slave/TaskTraits.hpp>

namespace ferry {

/// Gives tasks to the slaves and gets their replies, or the exceptions that they threw.
///
/// Threads: as its connector, one at a time. A handler runs on a slave and gets a UsageError. Errors: every call that waits
/// throws Terminated when the job is stopped (Ctrl-C), and the exception of a slave's xassert.
class Master {
public:
    /// The connector must outlive the master and its futures, and so must what stands beside the job.
    explicit Master(Connector& connector, const BesideJob& beside = {}) : connector_(connector), dispatcher_(connector, beside) {}
    Master(const Master&) = delete;
    Master& operator=(const Master&) = delete;

    int slaveCount() const noexcept { return dispatcher_.slaveCount(); }
    Connector& connector() noexcept { return connector_; }

    /// Hands a task to the next slave that is free; does not wait for it.
    template <class Request>
    Future<ReplyOf<Request>> submit(const Request& task, const TaskOptions& options = {}) {
        dispatcher_.lookNowAndThen();
        return Future<ReplyOf<Request>>(dispatcher_, dispatcher_.submit(task, options));
    }

    /// Does all tasks of a range, and hands out the replies in the order of the tasks or as they come. The range is borrowed when it is
    /// passed by name, and kept when it is moved in. The options are those of each task.
    template <class Range>
    MapRange<Range> map(Range&& tasks, MapOrder order = MapOrder::Submission, const TaskOptions& options = {}) {
        return MapRange<Range>(dispatcher_, std::forward<Range>(tasks), order, options);
    }

    /// Who gets the futures of the tasks of class Request that handlers submit (Task::submit): `void function(Future<Reply>)`, called in
    /// waits and polls of the master. Without one their replies are dropped, and their failures logged.
    template <class Request, class Function>
    void onSubmitted(Function function) {
        dispatcher_.onSubmitted(classIdFor<Request>, [this, function](std::shared_ptr<Call> call) {
            function(Future<ReplyOf<Request>>(dispatcher_, std::move(call)));
        });
    }

    /// Waits until all tasks are done, those that handlers submit meanwhile included, and all functions that wait for them have run.
    /// Throws nothing that a task threw.
    void waitForAll(Deadline deadline = Deadline::never()) {
        const DeadlineScope scope = connector_.limitWaits(deadline);
        dispatcher_.waitForAll();
    }

    /// Gives every slave the object before any task that is submitted from now on; handlers reach it by Task::shared<T>(). A later object
    /// of the same type replaces it, also for tasks that were submitted before and go to a slave after it. Large ones travel in a tree of
    /// slaves when no task is under way. Returns the object's version: 1, and one more for each that replaces it
    /// (Task::sharedVersion<T>()).
    template <class T>
    int share(const T& object) {
        return dispatcher_.share(valueKey<T>, [&object](IntWriter& out) { out << object; });
    }

    /// Frees the slaves' memory of the shared object of this type: a task that is submitted from now on, and asks for it, gets a
    /// UsageError. Returns whether one was shared.
    template <class T>
    bool unshare() {
        return dispatcher_.unshare(valueKey<T>);
    }

    /// Brings so many slaves more into the job, which run the same program from its beginning; returns when they are connected. They get
    /// what is shared, what setUp makes, and their part of the tasks at once. Threads of one process can be added, and processes where
    /// ferryrun starts them with Open MPI 4, on the slots that are free. Only the master and they reach each other.
    /// Errors: SlavesCannotJoin elsewhere, and where there is no room; the job goes on without them then. Such a process that ends before
    /// it is connected ends the job.
    void addSlaves(int count) { dispatcher_.addSlaves(count); }

    /// Lets so many slaves go that have nothing to do: what setUp has made there is destroyed, and they get no tasks any more. Processes
    /// end where ferryrun has started the job with Open MPI 4, else with the job. While tasks are open, one stays. Returns how many leave:
    /// fewer when not so many are idle.
    int dismissSlaves(int count) { return dispatcher_.dismissSlaves(count); }

    /// Takes in replies without waiting; for a master that computes between its calls.
    void poll() { dispatcher_.poll(); }

private:
    Connector& connector_;
    Dispatcher dispatcher_;
};

}    // namespace ferry
