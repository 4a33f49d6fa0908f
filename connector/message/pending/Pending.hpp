#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include <ferry/connector/message/DeadlineScope.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Deadline.hpp>
#include <ferry/connector/message/letter/Expectation.hpp>
#include <ferry/connector/message/mailboxCalls.hpp>
#include <ferry/connector/message/state/Lifetime.hpp>
#include <ferry/connector/message/state/OneThread.hpp>
#include <ferry/serialization/exception/UsageError.hpp>

namespace ferry {

template <class T>
class Pending;

namespace detail {

/// The key for classes that may look into a Pending.
class PendingAccess {
    template <class T>
    friend class ferry::Pending;
    friend struct PendingWaits;
    PendingAccess() = default;
};

[[noreturn]] void failOfEndedConnector();

/// The operation behind a Pending.
template <class T>
class PendingOperation {
public:
    /// An operation that needs no mailbox.
    PendingOperation() = default;
    explicit PendingOperation(Mailbox& mailbox) noexcept : connector_(lifetimeOf(mailbox)) {}
    PendingOperation(const PendingOperation&) = delete;
    PendingOperation& operator=(const PendingOperation&) = delete;
    virtual ~PendingOperation() = default;

    /// Whether the connector of the operation has ended. Only cancel() may be called then.
    bool isOver() const noexcept { return connector_.isOver(); }
    virtual bool isReady() = 0;
    /// Whether the operation is ready; moves nothing on.
    virtual bool isReadyNow() { return isReady(); }
    /// Waits until the operation is ready, and takes nothing. Throws the exceptions of get().
    virtual void await() = 0;
    virtual T get() = 0;
    /// Whether a get() that has thrown threw the failure of the operation itself, so that no later get() can return a value.
    virtual bool hasFailed() const = 0;
    /// The mailbox in which get() waits; null when get() never waits.
    virtual Mailbox* mailbox() noexcept { return nullptr; }
    /// Uses no mailbox.
    virtual void cancel() noexcept = 0;

private:
    Lifetime::Mark connector_;
};

/// The result of get(), where there is a value.
template <class T>
using PendingResult = std::conditional_t<std::is_void_v<T>, std::nullptr_t, T>;

/// An operation that was done at once.
class NothingPending final : public PendingOperation<void> {
public:
    bool isReady() override { return true; }
    void await() override {}
    void get() override {}
    bool hasFailed() const override { return false; }
    void cancel() noexcept override {}
};

/// Waits for letters, from which Read makes the value.
template <class T, class Read>
class ExpectedLetters final : public PendingOperation<T> {
public:
    ExpectedLetters(Mailbox& mailbox, std::shared_ptr<Expectation> expectation, Read read)
        : PendingOperation<T>(mailbox),
          mailbox_(mailbox),
          expectation_(std::move(expectation)),
          read_(std::move(read)) {}

    bool isReady() override {
        mailbox_.poll();
        return isReadyNow();
    }
    /// Whether all letters have come, or no such letter can come any more. get() throws the latter.
    bool isReadyNow() override { return expectation_->isComplete() || isHopeless(mailbox_, expectation_->filter()); }
    void await() override { mailbox_.awaitAllOf(*expectation_); }
    T get() override { return read_(*expectation_); }
    bool hasFailed() const override { return expectation_->wasTaken(); }
    Mailbox* mailbox() noexcept override { return &mailbox_; }
    void cancel() noexcept override { expectation_->drop(); }

private:
    Mailbox& mailbox_;
    std::shared_ptr<Expectation> expectation_;
    Read read_;
};

}    // namespace detail

/// An operation that a connector carries out while its rank computes. It was posted, expected or started. It moves on whenever the rank
/// uses the connector, connector.poll() included.
///
/// Ownership: owns what it needs, but not the objects of a posted graph: they must stay unchanged until the operation is ready or gone. The
/// memory that .into names belongs to the caller. Only get() changes it.
/// When a Pending is dropped, moved from or left by an exception, its operation is cancelled. Other receives then get the letters that had
/// come for it. The receiver of a graph that was not packed to its end throws Cancelled. The destructor does not wait. After the end of its
/// connector, a Pending can only be destroyed or cancelled; its other calls throw UsageError. Threads: as its connector. The destructor may
/// run on another thread while the rank's thread calls the connector. Then it waits while a step reads the objects of the graph.
template <class T>
class [[nodiscard]] Pending {
public:
    /// A Pending without an operation.
    Pending() = default;
    Pending(const Pending&) = delete;               // ferry: a Pending is the one owner of its operation: hand it on with std::move
    Pending& operator=(const Pending&) = delete;    // ferry: a Pending is the one owner of its operation: hand it on with std::move
    explicit Pending(std::unique_ptr<detail::PendingOperation<T>> operation) noexcept : operation_(std::move(operation)) {}
    Pending(Pending&&) noexcept = default;
    Pending& operator=(Pending&& other) noexcept {
        if (this != &other) {
            end();
            operation_ = std::move(other.operation_);
        }
        return *this;
    }
    ~Pending() { end(); }

    /// Whether get() returns without waiting. Moves on everything under way. Throws exceptions that are due at the connector.
    bool ready() { return operation().isReady(); }

    /// Waits for the value, which can be taken once. For a posted object, waits until the object may change again. Throws the exceptions of
    /// receive() or send(). After a TimeoutError, or another exception that is due at the connector, the value can still be taken. After
    /// all others the operation is over.
    T get(Deadline deadline = Deadline::never()) {
        if (detail::Mailbox* mailbox = operation().mailbox(); mailbox != nullptr && !deadline.isNever()) {
            const detail::DeadlineScope scope(*mailbox, deadline);
            return get();
        }
        const Ending ending(*this);
        return operation().get();
    }

    T get(Deadline deadline = Deadline::never()) const = delete;    // ferry: get() takes the value out, so the Pending must not be const
    operator detail::PendingResult<T>() const = delete;             // ferry: the value may not be there yet: get() waits for it

    /// Cancels the operation, if there is one, as the destructor does. Errors: UsageError while another thread is in a call of the
    /// connector.
    void cancel() {
        if (!operation_) return;
        if (detail::Mailbox* mailbox = operation_->isOver() ? nullptr : operation_->mailbox(); mailbox != nullptr)
            mailbox->thread().require();
        end();
    }

    /// Whether there is an operation whose value can be taken.
    bool isUnderWay() const noexcept { return operation_ != nullptr; }

    /// For waitAll() and waitAny().
    detail::PendingOperation<T>& operation(detail::PendingAccess) { return operation(); }

private:
    /// One get(). It ends the operation, unless it throws another exception than the operation's own failure.
    class Ending {
    public:
        explicit Ending(Pending& pending) : pending_(pending), uncaught_(std::uncaught_exceptions()) {}
        Ending(const Ending&) = delete;
        Ending& operator=(const Ending&) = delete;
        ~Ending() {
            if (std::uncaught_exceptions() == uncaught_) {
                pending_.operation_.reset();
            } else if (pending_.operation_ && pending_.operation_->hasFailed()) {
                pending_.end();
            }
        }

    private:
        Pending& pending_;
        int uncaught_;
    };

    void end() noexcept {
        if (operation_) operation_->cancel();
        operation_.reset();
    }

    detail::PendingOperation<T>& operation() {
        if (!operation_)
            FERRY_THROW(UsageError("this Pending has no operation: its value was taken, or the operation was cancelled or never began"));
        if (operation_->isOver()) detail::failOfEndedConnector();
        return *operation_;
    }

    std::unique_ptr<detail::PendingOperation<T>> operation_;
};

}    // namespace ferry
