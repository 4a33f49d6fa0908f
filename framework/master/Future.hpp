#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Terminated.hpp>
#include <ferry/connector/exception/exceptionToThrow.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/framework/master/Promised.hpp>
#include <ferry/framework/master/TaskDesk.hpp>
#include <ferry/framework/parcel/ValueMessage.hpp>
#include <ferry/framework/slave/Done.hpp>
#include <ferry/framework/slave/Ref.hpp>
#include <ferry/serialization/exception/AssertionFailure.hpp>
#include <ferry/serialization/exception/ForcedUnwind.hpp>
#include <ferry/serialization/ints/IntReader.hpp>

namespace ferry {

template <class T>
class Future;

namespace detail {

/// Future<Future<T>> is Future<T>: for a function that submits a further task and returns its future.
template <class T>
struct FutureOf {
    static constexpr bool isNested = false;
    using Value = T;
};
template <class T>
struct FutureOf<Future<T>> {
    static constexpr bool isNested = true;
    using Value = T;
};

template <class Function, class T>
struct ResultAfter {
    using Type = std::invoke_result_t<Function&, T>;
};
template <class Function>
struct ResultAfter<Function, void> {
    using Type = std::invoke_result_t<Function&>;
};

/// Reads a reply. replyOf(id, name): gives the reply, which must have that class.
template <class Reply, class ReplyOf>
Reply readReply(const ObjectFactory& factory, const ReplyOf& replyOf) {
    const auto read = [&](auto& reply, ClassId id, const char* name) {
        const ArrivedReply arrived = replyOf(id, name);
        IntReader in(arrived.body, factory);
        in >> reply;
        in.expectEnd();
        return arrived.from;
    };
    if constexpr (std::is_base_of_v<Message, Reply>) {
        Reply reply;
        reply.setSender(read(reply, reply.classId(), reply.className()));
        return reply;
    } else {
        Reply reply{};
        read(reply, ValueIdentity<Reply>::id, ValueIdentity<Reply>::name());
        return reply;
    }
}

/// Reads the reply of a call that did not fail.
template <class Reply>
Reply takeReply(Completion& completion, TaskDesk desk) {
    if constexpr (std::is_void_v<Reply>) {
        takeReply<Done>(completion, desk);
    } else if constexpr (RefValue<Reply>::isRef) {
        return RefAccess::make<typename RefValue<Reply>::Value>(desk.keptBy(completion));
    } else {
        return readReply<Reply>(desk.factory(), [&](ClassId id, const char* name) { return desk.replyOf(completion, id, name); });
    }
}

template <class T>
T takePromised(Completion& completion, TaskDesk) {
    if constexpr (!std::is_void_v<T>) return std::move(*static_cast<Promised<T>&>(completion).value);
}

/// Frees the result of a completion at the end of the scope in which a caller takes it.
class ResultInHand {
public:
    explicit ResultInHand(Completion& completion) noexcept : completion_(completion) { completion.isTaken = completion.isLookedAt = true; }
    ResultInHand(const ResultInHand&) = delete;
    ResultInHand& operator=(const ResultInHand&) = delete;
    ~ResultInHand() { completion_.dropResult(); }

private:
    Completion& completion_;
};

struct FutureAccess;

}    // namespace detail

/// The coming reply of a task, or a value that the master makes from replies. Movable. After the end of its master, a future still gives a
/// reply that had come (hasArrived(), ready(), get()). All other calls throw UsageError then.
///
/// A function of then() or onSubmitted() that runs while the master waits in a call of this object may move, assign or destroy this object.
/// The call goes on with the task that it began with. get() throws UsageError when such a function has taken the reply of that task.
/// Dropping a future does not stop the task. If the task fails and no caller asked for it, the failure is logged.
/// Threads: like the master, one at a time. The destructor may run on another thread while the master works.
template <class T>
class Future {
public:
    /// A future without a task: isValid() is false.
    Future() = default;
    /// task: from TaskDesk::submit().
    Future(detail::TaskDesk desk, std::shared_ptr<detail::Completion> task)
        : desk_(desk),
          completion_(std::move(task)),
          take_(detail::takeReply<T>) {}
    Future(detail::TaskDesk desk, std::shared_ptr<detail::Promised<T>> promised)
        : desk_(desk),
          completion_(std::move(promised)),
          take_(detail::takePromised<T>) {}

    Future(Future&&) noexcept = default;
    Future& operator=(Future&& other) noexcept {
        if (this != &other) {
            drop();
            desk_ = other.desk_;
            completion_ = std::move(other.completion_);
            take_ = other.take_;
        }
        return *this;
    }
    ~Future() { drop(); }

    bool isValid() const noexcept { return completion_ != nullptr && !completion_->isTaken; }

    /// Whether get() would return or throw at once. Takes in the arrived letters.
    bool ready() const {
        const std::shared_ptr<detail::Completion> completion = known().shared_from_this();    // poll() may change this object
        if (!completion->isDone) desk_.poll(completion.get());
        return completion->isDone;
    }

    /// Whether the reply has been taken in already. Takes in no letters.
    bool hasArrived() const { return known().isDone; }

    /// Waits for the reply and hands it out once. Throws the exception that the task's handler threw, with its own class.
    /// After a TimeoutError of its own deadline, or any other exception of the wait, get() can be called again.
    T get(Deadline deadline = Deadline::never()) {
        const std::shared_ptr<detail::Completion> completion = known().shared_from_this();
        const detail::TaskDesk desk = desk_;
        const auto take = take_;
        // After functions of the program have run, this object may hold another task, or be gone.
        const bool isChanged = !completion->isDone && desk.wait(*completion, deadline) == detail::TaskDesk::Meanwhile::FunctionsRan;
        if (completion->isTaken) detail::failEmptyFuture();
        const detail::ResultInHand result(*completion);
        if (!isChanged) completion_.reset();
        if (completion->failure) std::rethrow_exception(completion->failure);
        return take(*completion, desk);
    }

    /// Asks that the task is not done. True: no slave has the task or will get it; get() throws Cancelled.
    /// False: the task is done, or a slave has it and is told. In the second case get() throws Cancelled if the slave had not begun the
    /// task,
    /// or if its handler checks for it (Task::throwIfCancelled). Otherwise get() gives the reply.
    /// For a future that depends on several tasks, all of them are cancelled; true: each of them returned true.
    bool cancel() {
        detail::Completion& completion = checked();
        if (completion.isDone) return false;
        completion.isLookedAt = true;
        return desk_.cancel(completion);
    }

    /// Throws the exception in the handler that works on the task, on whatever slave. The exception comes from the call of Ferry in which
    /// the handler waits, else from its next call. A handler that catches the exception can go on. A handler that makes no call of Ferry
    /// never gets the exception.
    /// A task that no slave has begun ends with the exception. After raise() the task is not begun again, and not tried again.
    /// False: the task is done already, and nothing happens. A reply that is on its way at that time counts.
    /// For a future that depends on several tasks, the exception is thrown in each; false: all of them are done.
    /// Errors: UsageError as for Connector::throwOn(), when the exception is known only by a base class.
    template <class E>
    bool raise(const E& exception) {
        return raise(detail::exceptionToThrow(exception));
    }
    bool raise(const std::exception_ptr& exception) { return desk_.raise(checked(), exception); }

    /// Waits until a slave has begun the task, and returns the rank of that slave. A team begins when it has all of its slaves; the rank is
    /// that of its first one. For a task that is done, returns the rank that answered;
    /// 0: its reply comes from the journal. The slave says that it has begun when its handler makes a call of Ferry, or ends: knownRank()
    /// does not wait for that. Errors: the task's failure when the task failed before a slave began it; TimeoutError at the deadline;
    /// UsageError for a future that depends on several tasks, or on a function of then().
    int rank(Deadline deadline = Deadline::never()) { return desk_.rankOf(checked(), deadline); }

    /// The rank of the slave that has the task, without a wait; none: no slave has it, or only the sub-master knows which one. The slave
    /// may still have tasks to do before this one, and may give it back. For a task that is done, the rank that answered, as rank() returns
    /// it; none: the task failed before a slave had it. Errors: UsageError as for rank().
    std::optional<int> knownRank() const { return desk_.knownRankOf(checked()); }

    /// A future of the function's result for the reply: `Future<R> then(R function(T))`. The function runs on the master's thread, in a
    /// wait or poll after the reply has come. The function may submit tasks, and may wait; such a wait runs further functions. At most 100
    /// functions of then() and onSubmitted() run inside each other: a wait or poll in the last one runs only those that its own future
    /// needs, and leaves the others to the waits around it. If the function returns a future, the new future has the result of that one. If
    /// the task fails, the function does not run, and the new future has the task's exception. This future is empty afterwards.
    template <class Function>
    auto then(Function function) {
        using Result = typename detail::ResultAfter<Function, T>::Type;
        using Value = typename detail::FutureOf<Result>::Value;
        checked();
        const auto promised = std::make_shared<detail::Promised<Value>>();
        promised->sources = {completion_};
        const auto shared = std::make_shared<Function>(std::move(function));    // shared_ptr: the function may be movable only
        completion_->isTaken = true;
        desk_.whenDone(
            std::move(completion_),
            [desk = desk_, promised, shared, take = take_](detail::Completion& source) {
                source.isLookedAt = true;
                if (source.failure) return desk.complete(*promised, source.failure);
                const auto call = [&]() -> Result {
                    if constexpr (std::is_void_v<T>) {
                        static_cast<void>(take);
                        return (*shared)();
                    } else {
                        return (*shared)(take(source, desk));
                    }
                };
                settle<Result>(desk, promised, call);
            },
            detail::Completion::FunctionOf::Program);
        return Future<Value>(desk_, promised);
    }

private:
    template <class>
    friend class Future;
    friend struct detail::FutureAccess;

    /// Completes the promise with the function's result or its exception. Exceptions that end the job pass through.
    template <class Result, class Promise, class Function>
    static void settle(detail::TaskDesk desk, const std::shared_ptr<Promise>& promised, const Function& function) {
        try {
            if constexpr (std::is_void_v<Result>) {
                function();
                promised->value.emplace();
            } else if constexpr (detail::FutureOf<Result>::isNested) {
                return function().moveInto(promised);
            } else {
                promised->value.emplace(function());
            }
        } catch (const Terminated&) {
            throw;
        } catch (const AssertionFailure&) {
            throw;
        } catch (detail::ForcedUnwind&) {
            throw;
        } catch (...) {
            return desk.complete(*promised, std::current_exception());
        }
        desk.complete(*promised);
    }

    /// Completes the promise with the result of this future.
    void moveInto(const std::shared_ptr<detail::Promised<T>>& promised) {
        checked();
        promised->sources = {completion_};
        completion_->isTaken = true;
        desk_.whenDone(
            std::move(completion_),
            [desk = desk_, promised, take = take_](detail::Completion& source) {
                source.isLookedAt = true;
                if (source.failure) return desk.complete(*promised, source.failure);
                settle<T>(desk, promised, [&]() -> T { return take(source, desk); });
            },
            detail::Completion::FunctionOf::Ferry);
    }

    detail::Completion& checked() const {
        if (!isValid()) detail::failEmptyFuture();
        desk_.requireThread();
        return *completion_;
    }

    /// Like checked(), but allows questions about a finished task after the end of the master.
    detail::Completion& known() const {
        if (!isValid()) detail::failEmptyFuture();
        if (!desk_.isOver()) {
            desk_.requireThread();
        } else if (!completion_->isDone) {
            detail::failEnded(*completion_);
        }
        return *completion_;
    }

    void drop() const noexcept {
        if (!completion_) return;
        completion_->isDropped = true;
        if (!completion_->isDone || !completion_->failure || completion_->isLookedAt.exchange(true)) return;
        detail::logUnseenFailure(*completion_);
    }

    detail::TaskDesk desk_;
    std::shared_ptr<detail::Completion> completion_;
    T (*take_)(detail::Completion&, detail::TaskDesk) = nullptr;
};

namespace detail {

/// Gives the framework access to the private members of a future.
struct FutureAccess {
    template <class T>
    static TaskDesk deskOf(const Future<T>& future) {
        future.checked();
        return future.desk_;
    }
    template <class T>
    static const std::shared_ptr<Completion>& completionOf(const Future<T>& future) {
        return future.completion_;
    }
    template <class T>
    static auto takeOf(const Future<T>& future) {
        return future.take_;
    }
    template <class T>
    static void release(Future<T>& future) {
        future.completion_->isTaken = true;
        future.completion_.reset();
    }
};

}    // namespace detail

}    // namespace ferry
