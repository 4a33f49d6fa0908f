#include <ferry/framework/master/TaskDesk.hpp>

#include <utility>

#include <ferry/connector/Connector.hpp>
#include <ferry/connector/exception/Report.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/master/BundleDesk.hpp>
#include <ferry/framework/master/Call.hpp>
#include <ferry/framework/master/Dispatcher.hpp>
#include <ferry/framework/master/KeptResults.hpp>
#include <ferry/framework/monitor/Log.hpp>
#include <ferry/framework/monitor/ifMemory.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry::detail {

Connector& TaskDesk::connector() const noexcept { return dispatcher_->connector(); }
int TaskDesk::slaveCount() const noexcept { return dispatcher_->slaveCount(); }
void TaskDesk::requireThread() const { dispatcher_->requireThread(); }

void TaskDesk::lookNowAndThen() const { dispatcher_->lookNowAndThen(); }

std::shared_ptr<Completion> TaskDesk::submit(const Message& task, const TaskOptions& options) const {
    return dispatcher_->submit(task, options);
}

std::shared_ptr<Completion> TaskDesk::submit(const Message& task, TeamSize size, const TaskOptions& options) const {
    return dispatcher_->submit(task, size, options);
}

std::shared_ptr<Completion> TaskDesk::submit(const Message& task, Keep keep, const TaskOptions& options) const {
    return dispatcher_->submit(task, keep, options);
}

std::size_t TaskDesk::wantedCount(const Completion& task) const { return dispatcher_->wantedCount(static_cast<const Call&>(task)); }
BundleDesk TaskDesk::bundles() const noexcept { return BundleDesk(*dispatcher_); }
void TaskDesk::announce(std::ptrdiff_t taskCount) const { dispatcher_->announce(taskCount); }
void TaskDesk::throwIfDue() const { detail::mailboxOf(connector()).throwIfDue(); }

std::shared_ptr<Completion> TaskDesk::failed() const {
    auto call = std::make_shared<Call>();
    dispatcher_->complete(*call, std::current_exception());
    return call;
}

void TaskDesk::poll() const { dispatcher_->poll(); }
void TaskDesk::wait(const Completion& completion) const { dispatcher_->wait(completion); }

void TaskDesk::wait(const Completion& completion, Deadline deadline) const {
    const DeadlineScope scope = connector().limitWaits(deadline);
    dispatcher_->wait(completion);
}

void TaskDesk::waitUntil(const std::function<bool()>& condition) const { dispatcher_->waitUntil(condition); }

bool TaskDesk::cancel(Completion& completion) const { return dispatcher_->cancel(completion); }

bool TaskDesk::raise(Completion& completion, const std::exception_ptr& exception) const {
    if (!exception) throw UsageError("raise needs an exception, not a null pointer");
    return dispatcher_->raise(completion, exception);
}

int TaskDesk::rankOf(Completion& completion, Deadline deadline) const {
    const DeadlineScope scope = connector().limitWaits(deadline);
    return dispatcher_->rankOf(completion);
}

void TaskDesk::withdraw(Completion& task) const { dispatcher_->withdraw(static_cast<Call&>(task)); }

void TaskDesk::complete(Completion& completion, std::exception_ptr failure) const { dispatcher_->complete(completion, std::move(failure)); }

void TaskDesk::whenDone(std::shared_ptr<Completion> completion, Completion::Follower follower) const {
    dispatcher_->whenDone(std::move(completion), std::move(follower));
}

ArrivedReply TaskDesk::replyOf(const Completion& task, std::int32_t classId, const char* className) const {
    const Call& call = static_cast<const Call&>(task);
    if (call.reply.key != classId) {
        const std::string answer = connector().factory().nameOf(call.reply.key);
        throw UsageError("the slave answered with a " + answer + ", not with a " + className);
    }
    return {call.reply.body, call.answeringRank};
}

std::shared_ptr<RefTarget> TaskDesk::keptBy(const Completion& task) const {
    const Call& call = static_cast<const Call&>(task);
    if (!call.kept || !call.kept->makes) throw UsageError("a Ref is no reply of a handler: submit the task with ferry::Keep{}");
    return call.kept->makes;
}

void TaskDesk::logUnseenFailure(const Completion& completion) noexcept {
    ifMemory([&completion] {
        logLine(spdlog::level::warn, "dropped unseen, though the task had failed: {}: {}", completion.awaited().what,
                report(completion.failure));
    });
}

void TaskDesk::logFurtherFailure(const std::exception_ptr& failure) {
    logLine(spdlog::level::warn, "a further task of those that the program waits for together has failed: {}", report(failure));
}

void TaskDesk::failEmptyFuture() { throw UsageError("this future holds no task: its reply was taken, or it never had one"); }
void TaskDesk::failEmptyList() { throw UsageError("the list of futures to wait for is empty: at least one is needed"); }

}    // namespace ferry::detail
