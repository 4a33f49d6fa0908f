#pragma once

#include <exception>
#include <memory>
#include <utility>

#include <ferry/connector/message/Deadline.hpp>
#include <ferry/connector/message/DeadlineScope.hpp>
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
    Future(Dispatcher& dispatcher, std::shared_ptr<Call> call) : dispatcher_(&dispatcher), call_(std::move(call)) {}

    Future(Future&&) noexcept = default;
    Future& operator=(Future&& other) noexcept {
        if (this != &other) {
            drop();
            dispatcher_ = other.dispatcher_;
            call_ = std::move(other.call_);
        }
        return *this;
    }
    ~Future() { drop(); }

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
    /// TimeoutError of its own deadline, and whatever else the wait throws, it can be called again.
    Reply get(Deadline deadline = Deadline::never()) {
        checkedCall();
        await(deadline);
        const std::shared_ptr<Call> call = std::move(call_);
        call->isLookedAt = true;
        if (call->failure) std::rethrow_exception(call->failure);
        Reply reply;
        if (call->reply.key != reply.classId())
            throw UsageError("the slave answered with a " + dispatcher_->connector().factory().nameOf(call->reply.key) + ", not with a " +
                             reply.className());
        IntReader in(call->reply.body, dispatcher_->connector().factory());
        in >> reply;
        in.expectEnd();
        reply.setSender(call->letter->from);
        return reply;
    }

    /// Asks that the task is not done. True: no slave has it, nor will; get() throws Cancelled. False: it is done, or a slave has it and is
    /// told: then get() throws Cancelled if the slave had not begun it, or its handler heeds it (Task::throwIfCancelled); otherwise it
    /// gives the reply.
    bool cancel() {
        Call& call = checkedCall();
        if (call.isDone) return false;
        call.isLookedAt = true;
        return dispatcher_->cancel(call);
    }

private:
    void await(Deadline deadline) {
        const DeadlineScope scope = dispatcher_->connector().limitWaits(deadline);
        dispatcher_->wait(*call_);
    }

    Call& checkedCall() const {
        if (!call_) throw UsageError("this future holds no task: its reply was taken, or it never had one");
        return *call_;
    }

    void drop() const noexcept {
        if (!call_) return;
        call_->isDropped = true;
        if (!call_->failure || call_->isLookedAt) return;
        call_->isLookedAt = true;
        Dispatcher::logUnseenFailure(*call_);
    }

    Dispatcher* dispatcher_ = nullptr;
    std::shared_ptr<Call> call_;
};

}    // namespace ferry
