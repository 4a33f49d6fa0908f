#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/state/Lifetime.hpp>
#include <ferry/framework/master/Completion.hpp>

namespace ferry {

class Connector;
namespace detail {

class BundleDesk;
class Dispatcher;
class RefTarget;

}    // namespace detail

class Message;
class ObjectFactory;
struct Keep;
struct TaskOptions;
struct TeamSize;

namespace detail {

/// The reply of a task, not read yet.
struct ArrivedReply {
    std::span<const std::int32_t> body;
    int from = 0;    ///< the rank that sent the reply
};

/// The Dispatcher, as the templates of futures and tasks use it. Programs that submit tasks do without the header of the Dispatcher.
///
/// Ownership: refers to the dispatcher, and may outlive it. Copied freely.
/// Errors: those of the functions of the Dispatcher that have the same names. UsageError after the end of the dispatcher.
class TaskDesk {
public:
    TaskDesk() = default;
    TaskDesk(Dispatcher& dispatcher) noexcept;    // implicit: a desk stands for its dispatcher

    /// Whether the dispatcher has ended.
    bool isOver() const noexcept { return life_.isOver(); }

    Connector& connector() const;
    int slaveCount() const;
    void requireThread() const;
    /// The classes that replies are read with. After the end of the dispatcher only the global ones are there.
    const ObjectFactory& factory() const;

    void lookNowAndThen() const;
    std::shared_ptr<Completion> submit(const Message& task, const TaskOptions& options) const;
    std::shared_ptr<Completion> submit(const Message& task, Keep keep, const TaskOptions& options) const;
    std::shared_ptr<Completion> submit(const Message& task, TeamSize size, std::optional<Keep> keep, const TaskOptions& options) const;
    /// The number of tasks like this one that should be under way.
    std::size_t wantedCount(const Completion& task) const;
    /// The desk for maps, whose tasks travel in bundles.
    BundleDesk bundles() const;
    /// Announces tasks to the monitor, or takes announced tasks back. Does nothing after the end of the dispatcher.
    void announce(std::ptrdiff_t taskCount) const;
    /// Throws an exception of the job that is due.
    void throwIfDue() const;
    /// A task that has failed with the exception that is handled, before it could be submitted.
    std::shared_ptr<Completion> failed() const;

    /// awaited: the completion that the caller asks for; null: none.
    void poll(const Completion* awaited = nullptr) const;
    /// Runs the followers that are due, and takes in no letters.
    void runDue() const;
    /// The part of the program that has run during a wait. Its functions may change the objects that the caller uses.
    enum class Meanwhile { Nothing, FunctionsRan };
    Meanwhile wait(const Completion& completion, Deadline deadline = Deadline::never()) const;
    void waitUntil(const std::function<bool()>& condition) const;

    bool cancel(Completion& completion) const;
    bool raise(Completion& completion, const std::exception_ptr& exception) const;
    int rankOf(Completion& completion, Deadline deadline) const;
    std::optional<int> knownRankOf(const Completion& completion) const;
    /// Cancels a task that no slave has. Sends nothing. Does nothing after the end of the dispatcher.
    void withdraw(Completion& task) const;
    void complete(Completion& completion, std::exception_ptr failure = nullptr) const;
    void whenDone(std::shared_ptr<Completion> completion, Completion::Follower follower, Completion::FunctionOf functionOf) const;

    /// The reply of a task that did not fail. Valid as long as the completion. Errors: UsageError for a reply of another class.
    ArrivedReply replyOf(const Completion& task, std::int32_t classId, const char* className) const;

    /// The result of a task that did not fail, and whose result stays with its slave.
    std::shared_ptr<RefTarget> keptBy(const Completion& task) const;

private:
    friend class BundleDesk;

    Dispatcher& dispatcher() const;

    Dispatcher* dispatcher_ = nullptr;
    const ObjectFactory* factory_ = nullptr;
    Lifetime::Mark life_;
};

[[noreturn]] void failEmptyFuture();
[[noreturn]] void failEmptyList();
/// Says that a function of the program has asked a map for a reply while a loop over the map waits.
[[noreturn]] void failNestedMap();
/// Says that the dispatcher has ended before the completion was done.
[[noreturn]] void failEnded(const Completion& completion);

/// Logs that a call failed and that no caller will ask for its result.
void logUnseenFailure(const Completion& completion) noexcept;
/// Logs a further failure among tasks that were waited for together.
void logFurtherFailure(const std::exception_ptr& failure) noexcept;

}    // namespace detail

}    // namespace ferry
