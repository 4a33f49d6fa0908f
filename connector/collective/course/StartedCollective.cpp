#include <ferry/connector/collective/course/StartedCollective.hpp>

#include <algorithm>
#include <new>

#include <fmt/format.h>

#include <ferry/connector/collective/course/Operation.hpp>
#include <ferry/connector/collective/course/StartedCollectives.hpp>
#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/exception/Thrown.hpp>
#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/message/GraphLetters.hpp>
#include <ferry/serialization/exception/SerializationError.hpp>

namespace ferry::detail {

void StartedCollective::send(int to, IntBuffer ints) {
    try {
        mailbox_.postInts(to, Channel::Data, std::move(ints));
    } catch (...) {
        broken_ = std::current_exception();
        throw;
    }
}

void StartedCollective::sendNothing(int to) {
    send(to, mailbox_.pack(envelope_, [](IntWriter&) {}));
}

/// Throws a failure of which the other ranks cannot know: a letter that cannot be read, or no memory for a step. Failures of the user's
/// functions go to the other ranks with the values.
void StartedCollective::throwIfUntold(const std::exception_ptr& failure) {
    if (!failure) return;
    const Thrown thrown(failure);
    const bool isUntold = thrown.as<std::bad_alloc>() != nullptr || thrown.as<SerializationError>() != nullptr;
    if (isUntold) std::rethrow_exception(failure);
}

BackgroundWork::Progress StartedCollective::moveOn() noexcept {
    bool hasMoved = false;
    try {
        while (!isDone_ && step()) hasMoved = true;
    } catch (...) {
        giveUp(std::current_exception());
    }
    if (isDone_) return Progress::Done;
    return hasMoved ? Progress::Moved : Progress::Waiting;
}

/// Does one step. Returns false when the next letter has not come yet.
bool StartedCollective::step() {
    if (resting_ && !takeNext()) return false;
    (resting_ ? resting_ : routine()).resume();
    if (broken_) std::rethrow_exception(broken_);
    if (!isRoutineDone()) return true;
    throwIfUntold(routineFailure());
    isDone_ = true;
    if (all_ != nullptr) std::exchange(all_, nullptr)->forget(envelope_);
    return true;
}

/// Moves the awaited letter to next_. Returns false when it has not come yet.
bool StartedCollective::takeNext() {
    const auto awaited = std::find_if(letters_.begin(), letters_.end(), [this](const Letter& letter) { return letter.from == awaited_; });
    if (awaited == letters_.end()) {
        mailbox_.departures().throwIfAnyLost();
        if (mailbox_.departures().hasLeft(awaited_)) throw RankHasLeft(awaited_);
        return false;
    }
    next_ = std::move(*awaited);
    letters_.erase(awaited);
    if (next_.envelope.kind == MessageKind::GivenUp) throwGivenUp(next_, mailbox_.factory());
    return true;
}

Awaited StartedCollective::awaited() const {
    return {{awaited_}, fmt::format("the part of rank {} in the {}", awaited_, describeCall(envelope_.key))};
}

void StartedCollective::giveUp(const std::exception_ptr& reason) noexcept {
    StartedCollectives* all = all_;
    end(reason);
    if (all == nullptr) return;
    try {
        all->giveUp(envelope_, reason);
    } catch (...) {
        failure_ = std::current_exception();    // the connector itself fails: its next call says so too
    }
}

void StartedCollective::end(std::exception_ptr reason) noexcept {
    isDone_ = true;
    all_ = nullptr;
    failure_ = std::move(reason);
    letters_.clear();
    dropRoutine();
}

}    // namespace ferry::detail
