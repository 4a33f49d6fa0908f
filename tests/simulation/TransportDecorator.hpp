#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::test {

/// Base of transports that misbehave: passes every call on to the transport that it owns.
class TransportDecorator : public detail::Transport {
public:
    explicit TransportDecorator(std::unique_ptr<detail::Transport> inner) : inner_(std::move(inner)) {}

    int rank() const noexcept override { return inner_->rank(); }
    int size() const noexcept override { return inner_->size(); }
    void startSend(int to, detail::Channel channel, IntBuffer ints) override { inner_->startSend(to, channel, std::move(ints)); }
    std::optional<detail::Packet> poll() override { return inner_->poll(); }
    std::size_t pendingSends() const noexcept override { return inner_->pendingSends(); }
    std::size_t undelivered(int to) const noexcept override { return inner_->undelivered(to); }
    void idle(std::chrono::microseconds atMost) override { inner_->idle(atMost); }
    bool survivesLosses() const noexcept override { return inner_->survivesLosses(); }
    std::optional<detail::Loss> nextLoss() override { return inner_->nextLoss(); }
    void forget(int rank) override { inner_->forget(rank); }
    Clock::time_point now() const noexcept override { return inner_->now(); }
    bool hasVirtualTime() const noexcept override { return inner_->hasVirtualTime(); }
    void wake() noexcept override { inner_->wake(); }
    void finishTogether() noexcept override { inner_->finishTogether(); }
    [[noreturn]] void abort(int exitStatus) override {
        inner_->abort(exitStatus);
        std::terminate();    // never reached
    }

private:
    std::unique_ptr<detail::Transport> inner_;
};

}    // namespace ferry::test
