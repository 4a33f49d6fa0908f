#include <ferry/framework/master/TaskDesk.hpp>

#include <utility>

#include <fmt/format.h>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/report/Report.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/master/BundleDesk.hpp>
#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/master/Dispatcher.hpp>
#include <ferry/framework/master/KeptResults.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

namespace {

constexpr const char* endedInWords = "the master has ended, and its job with it: take replies before the program of the master returns";

}    // namespace

TaskDesk::TaskDesk(Dispatcher& dispatcher) noexcept
    : dispatcher_(&dispatcher),
      factory_(&dispatcher.connector().factory()),
      life_(dispatcher.lifetime().mark()) {}

Dispatcher& TaskDesk::dispatcher() const {
    if (life_.isOver()) [[unlikely]] {
        throw UsageError(endedInWords);
    }
    return *dispatcher_;
}

Connector& TaskDesk::connector() const { return dispatcher().connector(); }
int TaskDesk::slaveCount() const { return dispatcher().slaveCount(); }
void TaskDesk::requireThread() const { detail::mailboxOf(connector()).thread().require(); }

const ObjectFactory& TaskDesk::factory() const {
    if (life_.isOver() && factory_ != &ObjectFactory::global()) throw UsageError(endedInWords);
    return *factory_;
}

void TaskDesk::lookNowAndThen() const { dispatcher().lookNowAndThen(); }

std::shared_ptr<Completion> TaskDesk::submit(const Message& task, const TaskOptions& options) const {
    return dispatcher().submit(task, options);
}

std::shared_ptr<Completion> TaskDesk::submit(const Message& task, Keep keep, const TaskOptions& options) const {
    return dispatcher().submit(task, keep, options);
}

std::shared_ptr<Completion> TaskDesk::submit(const Message& task, TeamSize size, std::optional<Keep> keep,
                                             const TaskOptions& options) const {
    return dispatcher().submit(task, size, keep, options);
}

std::size_t TaskDesk::wantedCount(const Completion& task) const { return dispatcher().wantedCount(static_cast<const Call&>(task)); }

void TaskDesk::announce(std::ptrdiff_t taskCount) const {
    if (!isOver()) dispatcher_->announce(taskCount);
}

BundleDesk TaskDesk::bundles() const { return BundleDesk(*this); }

void TaskDesk::throwIfDue() const { detail::mailboxOf(connector()).throwIfDue(); }

std::shared_ptr<Completion> TaskDesk::failed() const {
    auto call = std::make_shared<Call>();
    dispatcher().followers().complete(*call, std::current_exception());
    return call;
}

void TaskDesk::poll(const Completion* awaited) const { dispatcher().poll(awaited); }
void TaskDesk::runDue() const {
    requireThread();
    while (dispatcher().followers().runNext()) {}
}
TaskDesk::Meanwhile TaskDesk::wait(const Completion& completion, Deadline deadline) const {
    const DeadlineScope scope = connector().limitWaits(deadline);
    return dispatcher().wait(completion) ? Meanwhile::FunctionsRan : Meanwhile::Nothing;
}

void TaskDesk::waitUntil(const std::function<bool()>& condition) const { dispatcher().waitUntil(condition); }

bool TaskDesk::cancel(Completion& completion) const { return dispatcher().cancel(completion); }

bool TaskDesk::raise(Completion& completion, const std::exception_ptr& exception) const {
    if (!exception) throw UsageError("raise needs an exception, not a null pointer");
    return dispatcher().raise(completion, exception);
}

int TaskDesk::rankOf(Completion& completion, Deadline deadline) const {
    const DeadlineScope scope = connector().limitWaits(deadline);
    return dispatcher().rankOf(completion);
}

std::optional<int> TaskDesk::knownRankOf(const Completion& completion) const { return dispatcher().knownRankOf(completion); }

void TaskDesk::withdraw(Completion& task) const {
    if (!isOver()) dispatcher_->withdraw(static_cast<Call&>(task));
}

void TaskDesk::complete(Completion& completion, std::exception_ptr failure) const {
    dispatcher().followers().complete(completion, std::move(failure));
}

void TaskDesk::whenDone(std::shared_ptr<Completion> completion, Completion::Follower follower, Completion::FunctionOf functionOf) const {
    dispatcher().followers().add(std::move(completion), std::move(follower), functionOf);
}

ArrivedReply TaskDesk::replyOf(const Completion& task, std::int32_t classId, const char* className) const {
    const Call& call = static_cast<const Call&>(task);
    if (call.reply.key != classId) {
        const std::string answer = factory().nameOf(call.reply.key);
        throw UsageError("the slave answered with a " + answer + ", not with a " + className);
    }
    return {call.reply.body, call.answeringRank};
}

std::shared_ptr<RefTarget> TaskDesk::keptBy(const Completion& task) const {
    const Call& call = static_cast<const Call&>(task);
    if (!call.kept || !call.kept->makes) throw UsageError("a Ref is no reply of a handler: submit the task with ferry::Keep{}");
    return call.kept->makes;
}

void logUnseenFailure(const Completion& completion) noexcept {
    ifMemory([&completion] {
        logLine(spdlog::level::warn, "dropped unseen, though the task had failed: {}: {}", completion.awaited().what,
                report(completion.failure));
    });
}

void logFurtherFailure(const std::exception_ptr& failure) noexcept {
    ifMemory([&failure] {
        logLine(spdlog::level::warn, "a further task of those that the program waits for together has failed: {}", report(failure));
    });
}

void failEmptyFuture() { throw UsageError("this future holds no task: its reply was taken, or it never had one"); }
void failEnded(const Completion& completion) {
    throw UsageError(fmt::format("{} can never come: {}", completion.awaited().what, endedInWords));
}
void failEmptyList() { throw UsageError("expected at least one future to wait for, found an empty list: ask empty() before the call"); }

void failNestedMap() {
    throw UsageError(
        "a map gives one reply at a time: expected a move of its iterator after the one before has ended, found one in a function of "
        "then() "
        "that runs meanwhile. Use the map outside of such functions");
}

}    // namespace ferry::detail
