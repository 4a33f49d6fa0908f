#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <ferry/connector/exception/RankHasLeft.hpp>
#include <ferry/connector/message/Mailbox.hpp>
#include <ferry/connector/message/letter/Transportable.hpp>
#include <ferry/connector/message/mailboxCalls.hpp>
#include <ferry/connector/message/pending/Pending.hpp>

namespace ferry::detail {

/// A vector that was handed over to be sent from where it lies.
template <class T>
struct HeldVector {
    std::vector<T> values;
    std::atomic<bool> isHeld{false};    ///< whether a transport may still read the values

    /// The holder for Transport::startHeld: the vector belongs to it until the last copy of it ends.
    static std::shared_ptr<const void> holderOf(const std::shared_ptr<HeldVector>& vector) {
        vector->isHeld.store(true);
        return std::shared_ptr<const void>(vector.get(), [vector](const void*) { vector->isHeld.store(false, std::memory_order_release); });
    }
};

/// Waits until a vector has left its place, and gives it back.
template <class T>
class PostedVector final : public PendingOperation<std::vector<T>> {
public:
    PostedVector(Mailbox& mailbox, int to, std::shared_ptr<HeldVector<T>> vector) noexcept
        : PendingOperation<std::vector<T>>(mailbox),
          mailbox_(mailbox),
          to_(to),
          vector_(std::move(vector)) {}

    bool isReady() override {
        mailbox_.poll();
        return isReadyNow();
    }
    /// A rank that has left takes nothing in: the transport keeps the memory, and get() returns a copy.
    bool isReadyNow() override { return !isHeld() || hasLeft(mailbox_, to_); }
    void await() override {
        mailbox_.waitUntil([this] { return isReadyNow(); },
                           [this] {
                               return Awaited{{to_}, "its vector to rank " + std::to_string(to_) + " to leave"};
                           });
    }
    std::vector<T> get() override {
        await();
        if (!isHeld()) return std::move(vector_->values);
        if constexpr (isCopyable<std::vector<T>>) {
            return vector_->values;
        } else {
            hasFailed_ = true;
            throw RankHasLeft(to_);
        }
    }
    bool hasFailed() const override { return hasFailed_; }
    Mailbox* mailbox() noexcept override { return &mailbox_; }
    void cancel() noexcept override {}

private:
    bool isHeld() const noexcept { return vector_->isHeld.load(std::memory_order_acquire); }

    Mailbox& mailbox_;
    int to_;
    std::shared_ptr<HeldVector<T>> vector_;
    bool hasFailed_ = false;
};

}    // namespace ferry::detail
