#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

#include <ferry/connector/collective/course/StartedCollective.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/started/StartedRoutines.hpp>
#include <ferry/connector/message/letter/Envelope.hpp>
#include <ferry/connector/message/pending/Pending.hpp>

namespace ferry::detail {

/// The operation behind the Pending of a started collective. Dropping the Pending changes nothing for the other ranks: the collective goes
/// on. get() makes its result of the collective's value, by finish(value, envelope).
template <class T, class Value, class Finish>
class StartedOperation final : public PendingOperation<T> {
public:
    StartedOperation(Mailbox& mailbox, std::shared_ptr<StartedValue<Value>> collective, Finish finish) noexcept
        : PendingOperation<T>(mailbox),
          mailbox_(mailbox),
          collective_(std::move(collective)),
          finish_(std::move(finish)) {}

    bool isReady() override {
        mailbox_.poll();
        return isReadyNow();
    }
    bool isReadyNow() override { return collective_->isDone(); }
    void await() override {
        mailbox_.waitUntil([this] { return collective_->isDone(); }, [this] { return collective_->awaited(); }, Waiter::Call);
    }
    T get() override {
        await();
        wasTaken_ = true;
        return finish_(collective_->take(), collective_->envelope());
    }
    bool hasFailed() const override { return wasTaken_; }
    Mailbox* mailbox() noexcept override { return &mailbox_; }
    void cancel() noexcept override {}

private:
    Mailbox& mailbox_;
    std::shared_ptr<StartedValue<Value>> collective_;
    Finish finish_;
    bool wasTaken_ = false;
};

/// Starts a collective of values with this type key. This rank's part is the routine that makeRoutine(StartedCollective&) makes. The result
/// of get() is finish(value, envelope), with the value of the routine.
template <class Value, class MakeRoutine, class Finish>
auto startCollective(Collectives& collectives, Operation operation, int root, std::int32_t type, MakeRoutine&& makeRoutine, Finish finish) {
    using T = std::invoke_result_t<Finish&, Value, const Envelope&>;
    Mailbox& mailbox = collectives.mailbox();
    auto collective = std::make_shared<StartedValue<Value>>(mailbox, std::forward<MakeRoutine>(makeRoutine));
    auto pending = std::make_unique<StartedOperation<T, Value, Finish>>(mailbox, collective, std::move(finish));
    collectives.start(started(operation), root, type, collective);
    return Pending<T>(std::move(pending));
}

struct KeepValue {
    void operator()(std::monostate, const Envelope&) const noexcept {}
    template <class T>
    T operator()(T&& value, const Envelope&) const {
        return std::forward<T>(value);
    }
};

/// Starts a collective whose result is the value of the routine.
template <class T, class MakeRoutine>
Pending<T> startCollective(Collectives& collectives, Operation operation, int root, std::int32_t type, MakeRoutine&& makeRoutine) {
    using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;
    return startCollective<Value>(collectives, operation, root, type, std::forward<MakeRoutine>(makeRoutine), KeepValue());
}

}    // namespace ferry::detail
