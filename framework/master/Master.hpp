#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/framework/master/Future.hpp>
#include <ferry/framework/master/MapRange.hpp>
#include <ferry/framework/master/TaskDesk.hpp>
#include <ferry/framework/master/WhenAll.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/framework/schedule/Keep.hpp>
#include <ferry/framework/schedule/TaskOptions.hpp>
#include <ferry/framework/schedule/TeamSize.hpp>
#include <ferry/framework/slave/Ref.hpp>
#include <ferry/framework/slave/TaskTraits.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphCodec.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/ints/SoleOwner.hpp>

namespace ferry {

namespace detail {

struct BesideJob;

}    // namespace detail

/// Gives tasks to the slaves. Gets their replies, or the exceptions that their handlers threw.
///
/// Threads: like its connector, one at a time. A call from a handler, which runs on a slave, throws a UsageError.
/// Errors: every call that waits throws Terminated when the job is stopped (Ctrl-C), and the exception of a slave's xassert.
class Master {
public:
    /// The connector and the members of `beside` must outlive the master and its futures.
    Master(Connector& connector, const detail::BesideJob& beside);
    explicit Master(Connector& connector);
    Master(const Master&) = delete;
    Master& operator=(const Master&) = delete;
    ~Master();

    int slaveCount() const noexcept;
    Connector& connector() noexcept { return connector_; }

    /// Hands a task to the next free slave. Does not wait for the reply. The task is a plain struct, another value, or a Message
    /// (Slave::on). It is written before the call returns, and is not copied.
    template <class Request>
    Future<detail::ReplyOf<Request>> submit(const Request& task, const TaskOptions& options = {}) {
        if constexpr (detail::TaskTraits<Request>::isSound) {
            desk_.lookNowAndThen();
            return Future<detail::ReplyOf<Request>>(desk_, desk_.submit(detail::asMessage(task), options));
        } else {
            return {};
        }
    }

    /// Hands a task to several slaves that do it together: `master.submit(Solve{}, ferry::ranks(4))`. The handler takes a Team, and runs
    /// on each of these slaves. The reply is that of the team's rank 0. Tasks of one slave and tasks of teams take turns as their
    /// priorities and the order of their submission say. A team waits until enough slaves are free.
    /// The future throws an ExceptionList of what was thrown on the ranks of the team, and LostRank when a slave of the team is lost. The
    /// slaves that are left then do further tasks.
    /// Errors: UsageError for a team that is greater than the job, and for options with `retry`. Such a task is not in the journal.
    template <class Request>
    Future<detail::ReplyOf<Request>> submit(const Request& task, TeamSize size, const TaskOptions& options = {}) {
        if constexpr (detail::TaskTraits<Request>::isSound) {
            desk_.lookNowAndThen();
            return Future<detail::ReplyOf<Request>>(desk_, desk_.submit(detail::asMessage(task), size, std::nullopt, options));
        } else {
            return {};
        }
    }

    /// Hands a task to the next free slave, and leaves its result there: `master.submit(task, ferry::Keep{})`. The Ref goes into further
    /// tasks, which read the result where it is, or fetch it from there. `ref.get()` brings it to the master.
    /// When its slave is lost, the task is done again, unless the options say that it is not repeatable. Then whoever needs the result gets
    /// a LostResult.
    template <class Request>
    Future<Ref<detail::ReplyOf<Request>>> submit(const Request& task, Keep keep, const TaskOptions& options = {}) {
        if constexpr (detail::TaskTraits<Request>::isSound && detail::isKeepable<detail::ReplyOf<Request>>()) {
            desk_.lookNowAndThen();
            return Future<Ref<detail::ReplyOf<Request>>>(desk_, desk_.submit(detail::asMessage(task), keep, options));
        } else {
            return {};
        }
    }

    /// Hands a task to a team, and leaves the result with the slave that is rank 0 of the team: `master.submit(Solve{}, ferry::ranks(4),
    /// ferry::Keep{})`. Further tasks read it, of teams too: each slave of such a team has the result before its handler begins.
    /// When the slave of the result is lost, another team makes it again, unless the options say that the task is not repeatable. Whoever
    /// needs a result that cannot be made again gets a LostResult. Errors: those of a task of a team.
    template <class Request>
    Future<Ref<detail::ReplyOf<Request>>> submit(const Request& task, TeamSize size, Keep keep, const TaskOptions& options = {}) {
        if constexpr (detail::TaskTraits<Request>::isSound && detail::isKeepable<detail::ReplyOf<Request>>()) {
            desk_.lookNowAndThen();
            return Future<Ref<detail::ReplyOf<Request>>>(desk_, desk_.submit(detail::asMessage(task), size, keep, options));
        } else {
            return {};
        }
    }

    /// Does all tasks of a range. Hands out the replies in the order of the tasks, or as they come. A range that is passed by name is
    /// borrowed;
    /// a range that is moved in is kept. The options apply to each task.
    template <class Range>
    MapRange<Range> map(Range&& tasks, MapOrder order = MapOrder::Submission, const TaskOptions& options = {}) {
        return MapRange<Range>(desk_, std::forward<Range>(tasks), order, options);
    }

    /// Sets the function that gets the futures of tasks of class Request that handlers submit (Task::submit): `void
    /// function(Future<Reply>)`.
    /// It is called in waits and polls of the master. Without such a function the replies are dropped, and the failures are logged.
    template <class Request, class Function>
    void onSubmitted(Function function) {
        if constexpr (detail::TaskTraits<Request>::isSound) {
            adopt(detail::taskIdOf<Request>(), [desk = desk_, function](std::shared_ptr<detail::Completion> task) {
                function(Future<detail::ReplyOf<Request>>(desk, std::move(task)));
            });
        }
    }

    /// Waits until all tasks are done and all functions that wait for them have run. Tasks that handlers submit meanwhile are included.
    /// Does not throw the exceptions of tasks. Errors: UsageError in the last of 100 functions of then() that run inside each other, when
    /// further ones are due.
    void waitForAll(Deadline deadline = Deadline::never());

    /// Gives every slave the object, ahead of any task that is submitted from now on. Handlers reach it by Task::shared<T>().
    /// A later object of the same type replaces it, also for tasks that were submitted before and go to a slave after it.
    /// Large objects travel in a tree of slaves when no task is under way.
    /// Returns the object's version (Task::sharedVersion<T>()): 1 for the first object, then one more for each that replaces it.
    template <class T>
        requires(!detail::NamedGraph<T>)
    int share(const T& object) {
        detail::requireSendable<T>();
        return share(detail::valueKey<T>, [&object](IntWriter& out) { out << object; });
    }
    /// Shares a structure of objects that point to each other: share(ferry::graph(root)). Handlers reach it by
    /// Task::shared<ferry::Graph<T>>().
    template <class T>
    int share(const detail::GraphRoot<T>& graph) {
        return share(detail::valueKey<Graph<T>>, [&graph](IntWriter& out) { detail::writeWholeGraph(out, graph.root); });
    }

    /// Frees the slaves' memory of the shared object of this type. A task that is submitted from now on and asks for it gets a UsageError.
    /// Returns whether an object was shared.
    template <class T>
    bool unshare() {
        return unshare(detail::valueKey<T>);
    }

    /// Adds `count` slaves to the job, which run the same program from its beginning. Returns when they are connected.
    /// The new slaves get the shared objects, the values of setUp, and their part of the tasks at once.
    /// Threads of one process can be added. Processes can be added where `ferry run` starts them with Open MPI 4, on free slots.
    /// The new slaves are connected to the master only.
    /// Errors: SlavesCannotJoin on other transports, and where no slot is free; the job then goes on without the new slaves.
    /// A new process that ends before it is connected ends the job.
    void addSlaves(int count);

    /// Lets up to `count` idle slaves leave the job. Their values of setUp are destroyed, and they get no further tasks.
    /// Their processes end if `ferry run` has started the job with Open MPI 4; otherwise they end with the job. While tasks are open, one
    /// slave stays.
    /// Returns the number of slaves that leave, which is smaller than `count` if fewer are idle.
    int dismissSlaves(int count);

    /// Takes in replies without waiting, for a master that computes between its calls.
    void poll() { desk_.poll(); }

private:
    void adopt(std::int32_t classId, std::function<void(std::shared_ptr<detail::Completion>)> adopter);
    std::int32_t share(std::int32_t key, const std::function<void(IntWriter&)>& write);
    bool unshare(std::int32_t key);

    Connector& connector_;
    const detail::SoleOwner<detail::Dispatcher> dispatcher_;
    const detail::TaskDesk desk_;
};

}    // namespace ferry
