#pragma once

#include <memory>
#include <optional>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The transport of a rank that has joined while the job runs (GrowingTransport). The rank reaches rank 0 and itself. Packets to other
/// ranks are dropped.
///
/// Ownership: owns the transport between rank 0 and the ranks that joined with this one. Threads and errors: as that transport.
class JoinedTransport final : public Transport {
public:
    /// rank: the number of this rank in the job. This transport knows no higher number.
    JoinedTransport(std::unique_ptr<Transport> transport, int rank) : transport_(std::move(transport)), rank_(rank) {
        setCrowded(transport_->isCrowded());
    }

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return rank_ + 1; }

    void startSend(int to, Channel channel, IntBuffer ints) override;
    std::optional<Packet> poll() override;
    std::size_t pendingSends() const noexcept override { return transport_->pendingSends(); }
    std::size_t undelivered(int to) const noexcept override;
    void idle(std::chrono::microseconds atMost) override { transport_->idle(atMost); }
    bool survivesLosses() const noexcept override { return transport_->survivesLosses(); }
    std::optional<Loss> nextLoss() override { return transport_->nextLoss(); }
    [[noreturn]] void die(int exitStatus) override;
    void forget(int rank) override;
    Clock::time_point now() const noexcept override { return transport_->now(); }
    bool hasVirtualTime() const noexcept override { return transport_->hasVirtualTime(); }
    void wake() noexcept override { transport_->wake(); }
    void finishTogether() noexcept override { transport_->finishTogether(); }
    [[noreturn]] void abort(int exitStatus) override;

private:
    void noteWait() noexcept override { passWaitOn(*transport_); }
    /// Returns the number of a rank in the transport between; nothing for a rank that is not reached.
    std::optional<int> placeOf(int rank) const;

    std::unique_ptr<Transport> transport_;
    int rank_;
};

}    // namespace ferry::detail
