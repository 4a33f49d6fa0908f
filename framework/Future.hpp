#pragma once

#include <exception>
#include <memory>
#include <utility>

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/framework/Dispatcher.hpp>
#include <ferry/serialization/IntReader.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

/// The reply of a task that is still to come. Movable; must not outlive its Master.
///
/// Dropping a future does not stop the task; if the task fails and nobody asked, the failure is logged.
template <class Reply>
class Future {
public:
    /// A future of nothing: isValid() is false.
    Future() = default;
    Future(Dispatcher& dispatcher, Connector& connector, std::shared_ptr<Call> call)
        : dispatcher_(&dispatcher),
          connector_(&connector),
          call_(std::move(call)) {}

    Future(Future&&) noexcept = default;
    Future& operator=(Future&& other) noexcept {
        if (this != &other) {
            logUnseenFailure();
            dispatcher_ = other.dispatcher_;
            connector_ = other.connector_;
            call_ = std::move(other.call_);
        }
        return *this;
    }
    ~Future() { logUnseenFailure(); }

    bool isValid() const noexcept { return call_ != nullptr; }

    /// Whether get() would return or throw at once. Takes in what has come back so far.
    bool ready() const {
        Call& call = checkedCall();
        if (!call.isDone) dispatcher_->poll();
        return call.isDone;
    }

    /// Whether the reply has been taken in already.
    bool hasArrived() const { return checkedCall().isDone; }

    /// Waits for the reply and hands it out; once. Throws the exception that the task's handler threw, with its own class; after a
    /// TimeoutError, and whatever else the wait throws, it can be called again.
    Reply get(Deadline deadline = Deadline::never()) {
        checkedCall();
        await(deadline);
        const std::shared_ptr<Call> call = std::move(call_);
        call->isLookedAt = true;
        if (call->failure) std::rethrow_exception(call->failure);
        Reply reply;
        if (call->reply.envelope.key != reply.classId())
            throw UsageError("the slave answered with a " + connector_->factory().nameOf(call->reply.envelope.key) + ", not with a " +
                             reply.className());
        IntReader in(call->reply.body(), connector_->factory());
        in >> reply;
        in.expectEnd();
        reply.setSender(call->reply.from);
        connector_->mailbox().giveBack(std::move(call->reply));
        return reply;
    }

    /// Takes the task back if no slave has it yet; the future is empty then.
    bool cancel() {
        if (checkedCall().isDone || !dispatcher_->cancel(*call_)) return false;
        call_.reset();
        return true;
    }

private:
    void await(Deadline deadline) {
        const DeadlineScope scope = connector_->limitWaits(deadline);
        dispatcher_->wait(*call_);
    }

    Call& checkedCall() const {
        if (!call_) throw UsageError("this future holds no task: its reply was taken, or it never had one");
        return *call_;
    }

    void logUnseenFailure() const noexcept {
        if (!call_ || !call_->failure || call_->isLookedAt) return;
        call_->isLookedAt = true;
        Dispatcher::logUnseenFailure(*call_);
    }

    Dispatcher* dispatcher_ = nullptr;
    Connector* connector_ = nullptr;
    std::shared_ptr<Call> call_;
};

}    // namespace ferry
