#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>

namespace benchScale {

/// Base of transports that stand between a rank of a simulation and its transport, and let simulated time pass. Packets that arrive
/// meanwhile are kept: a rank cannot be idle while a packet for it is there.
class PassingTransport : public ferry::detail::Transport {
public:
    explicit PassingTransport(std::unique_ptr<ferry::detail::Transport> inner) : inner_(std::move(inner)) {}

    int rank() const noexcept override { return inner_->rank(); }
    int size() const noexcept override { return inner_->size(); }
    void startSend(int to, ferry::detail::Channel channel, ferry::IntBuffer ints) override {
        inner_->startSend(to, channel, std::move(ints));
    }
    std::optional<ferry::detail::Packet> poll() override {
        if (came_.empty()) return inner_->poll();
        std::optional<ferry::detail::Packet> packet = std::move(came_.front());
        came_.pop_front();
        return packet;
    }
    std::size_t pendingSends() const noexcept override { return inner_->pendingSends(); }
    std::size_t undelivered(int to) const noexcept override { return inner_->undelivered(to); }
    void idle(std::chrono::microseconds atMost) override {
        if (came_.empty()) inner_->idle(atMost);
    }
    bool survivesLosses() const noexcept override { return inner_->survivesLosses(); }
    std::optional<ferry::detail::Loss> nextLoss() override { return inner_->nextLoss(); }
    void forget(int rank) override { inner_->forget(rank); }
    Clock::time_point now() const noexcept override { return inner_->now(); }
    bool hasVirtualTime() const noexcept override { return inner_->hasVirtualTime(); }
    void wake() noexcept override { inner_->wake(); }
    void finishTogether() noexcept override { inner_->finishTogether(); }
    [[noreturn]] void abort(int exitStatus) override {
        inner_->abort(exitStatus);
        std::terminate();    // not reached
    }

protected:
    /// Lets this much simulated time pass.
    void pass(std::chrono::microseconds time) {
        const Clock::time_point end = inner_->now() + time;
        while (inner_->now() < end) {
            while (std::optional<ferry::detail::Packet> packet = inner_->poll()) came_.push_back(std::move(*packet));
            inner_->idle(std::chrono::ceil<std::chrono::microseconds>(end - inner_->now()));
        }
    }

private:
    std::unique_ptr<ferry::detail::Transport> inner_;
    std::deque<ferry::detail::Packet> came_;
};

}    // namespace benchScale
