#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

#include <ferry/connector/collective/course/StartedCollective.hpp>
#include <ferry/connector/collective/host/Collectives.hpp>
#include <ferry/connector/collective/started/StartedRoutines.hpp>
#include <ferry/connector/message/pending/Pending.hpp>

namespace ferry::detail {

/// The operation behind the Pending of a started collective. Dropping the Pending changes nothing for the other ranks: the collective goes
/// on.
template <class T>
class StartedOperation final : public PendingOperation<T> {
public:
    using Value = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

    StartedOperation(Mailbox& mailbox, std::shared_ptr<StartedValue<Value>> collective) noexcept
        : PendingOperation<T>(mailbox),
          mailbox_(mailbox),
          collective_(std::move(collective)) {}

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
        if constexpr (std::is_void_v<T>) {
            collective_->take();
        } else {
            return collective_->take();
        }
    }
    bool hasFailed() const override { return wasTaken_; }
    Mailbox* mailbox() noexcept override { return &mailbox_; }
    void cancel() noexcept override {}

private:
    Mailbox& mailbox_;
    std::shared_ptr<StartedValue<Value>> collective_;
    bool wasTaken_ = false;
};

/// Starts a collective of values with this type key. This rank's part is the routine that makeRoutine(StartedCollective&) makes.
template <class T, class MakeRoutine>
Pending<T> startCollective(Collectives& collectives, Operation operation, int root, std::int32_t type, MakeRoutine&& makeRoutine) {
    using Started = StartedOperation<T>;
    Mailbox& mailbox = collectives.mailbox();
    auto collective = std::make_shared<StartedValue<typename Started::Value>>(mailbox, std::forward<MakeRoutine>(makeRoutine));
    auto pending = std::make_unique<Started>(mailbox, collective);
    collectives.start(started(operation), root, type, collective);
    return Pending<T>(std::move(pending));
}

}    // namespace ferry::detail
