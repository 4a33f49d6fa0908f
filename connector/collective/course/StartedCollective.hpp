#pragma once

#include <coroutine>
#include <exception>
#include <utility>
#include <vector>

#include <ferry/connector/collective/course/Outcome.hpp>
#include <ferry/connector/collective/course/Routine.hpp>
#include <ferry/connector/collective/shape/Tree.hpp>
#include <ferry/connector/exception/Awaited.hpp>
#include <ferry/connector/message/BackgroundWork.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>

namespace ferry::detail {

class StartedCollectives;

/// A collective that this rank has started. The collective goes on whenever the rank looks for letters, even when no call waits for its
/// value: the other ranks need its steps. StartedCollectives brings its letters.
///
/// Ownership: owns all values in it; borrows the mailbox. Threads: the one thread of its rank.
/// Errors: a failure of a value or an operator travels in the steps (Outcome). A failure that keeps the rank from doing its part (a rank
/// that has left, the transport) ends the collective here, and all other ranks are told.
class StartedCollective : public BackgroundWork {
public:
    /// For the routine: waits for the next letter of a rank.
    class NextLetter {
    public:
        NextLetter(StartedCollective& collective, int from) noexcept : collective_(collective), from_(from) {}
        bool await_ready() const noexcept { return false; }
        void await_suspend(std::coroutine_handle<> routine) const noexcept {
            collective_.awaited_ = from_;
            collective_.resting_ = routine;
        }
        Letter await_resume() const { return std::move(collective_.next_); }

    private:
        StartedCollective& collective_;
        int from_;
    };

    explicit StartedCollective(Mailbox& mailbox) noexcept : mailbox_(mailbox) {}

    // The next functions are for the routine.
    Mailbox& mailbox() noexcept { return mailbox_; }
    int rank() const noexcept { return mailbox_.transport().rank(); }
    int size() const noexcept { return mailbox_.transport().size(); }
    TreePlace placeBelow(int root) const { return placeInTree(rank(), size(), root); }

    NextLetter from(int rank) noexcept { return NextLetter(*this, rank); }
    /// ints: begin with the envelope.
    void send(int to, IntBuffer ints);
    void sendNothing(int to);
    template <class T>
    void send(int to, Outcome<T>& outcome) {
        send(to, outcome.pack(mailbox_, envelope_));
    }
    template <class T>
    IntBuffer pack(Outcome<T>& outcome) {
        return outcome.pack(mailbox_, envelope_);
    }
    template <class T>
    Outcome<T> read(Letter letter) {
        Outcome<T> outcome = Outcome<T>::read(letter, mailbox_.factory());
        mailbox_.giveBack(std::move(letter));
        return outcome;
    }

    // The next functions are for StartedCollectives.
    void begin(StartedCollectives& all, const Envelope& envelope) noexcept {
        all_ = &all;
        envelope_ = envelope;
    }
    const Envelope& envelope() const noexcept { return envelope_; }
    void give(Letter&& letter) { letters_.push_back(std::move(letter)); }
    /// Ends the collective for this reason, and tells no other rank.
    void end(std::exception_ptr reason) noexcept;

    // The next functions are for the call that waits for the value.
    bool isDone() const noexcept { return isDone_; }
    Awaited awaited() const;

    Progress moveOn() noexcept final;
    bool hasUnsent() const noexcept final { return false; }    // the next sends depend on letters

protected:
    /// Throws the reason for which the collective ended before its routine did.
    void rethrowFailure() const {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    virtual std::coroutine_handle<> routine() const noexcept = 0;
    virtual bool isRoutineDone() const noexcept = 0;
    /// The exception with which the routine is done; null when there is none.
    virtual std::exception_ptr routineFailure() const noexcept = 0;
    virtual void dropRoutine() noexcept = 0;

    bool step();
    static void throwIfUntold(const std::exception_ptr& failure);
    bool takeNext();
    void giveUp(const std::exception_ptr& reason) noexcept;

    friend class NextLetter;

    Mailbox& mailbox_;
    StartedCollectives* all_ = nullptr;    ///< null until the collective has begun, and when it has ended
    Envelope envelope_;
    std::vector<Letter> letters_;        ///< letters that were not awaited yet
    std::coroutine_handle<> resting_;    ///< the innermost routine; null before the first step
    int awaited_ = -1;                   ///< the rank whose letter the routine needs
    Letter next_;
    std::exception_ptr broken_;    ///< why the transport did not take a step
    std::exception_ptr failure_;
    bool isDone_ = false;
};

/// A started collective whose value is a T.
template <class T>
class StartedValue final : public StartedCollective {
public:
    /// makeRoutine(*this) makes the Routine<T>.
    template <class MakeRoutine>
    StartedValue(Mailbox& mailbox, MakeRoutine&& makeRoutine)
        : StartedCollective(mailbox),
          routine_(std::forward<MakeRoutine>(makeRoutine)(*this)) {}

    /// Returns the value when the collective is done, or throws the reason for which there is none. May be called once.
    T take() {
        rethrowFailure();
        return routine_.take();
    }

private:
    std::coroutine_handle<> routine() const noexcept override { return routine_.start(); }
    bool isRoutineDone() const noexcept override { return routine_.isDone(); }
    std::exception_ptr routineFailure() const noexcept override { return routine_.failure(); }
    void dropRoutine() noexcept override { routine_.drop(); }

    Routine<T> routine_;
};

}    // namespace ferry::detail
