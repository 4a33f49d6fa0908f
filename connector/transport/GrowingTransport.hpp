#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry::detail {

/// The transport of rank 0 where ranks may join while the job runs. One transport connects the ranks that were there first. Ranks that join
/// together bring one more transport, in which this rank is rank 0 too. A rank that has joined reaches rank 0 only.
///
/// Ownership: owns the transports. Threads and errors: as the transports.
class GrowingTransport final : public Transport {
public:
    /// Errors: UsageError when this rank is not rank 0 of the transport.
    explicit GrowingTransport(std::unique_ptr<Transport> first);

    /// Adds the other ranks of the transport. Its rank 1 becomes rank size() of this transport, and so on.
    /// Errors: UsageError when this rank is not rank 0 of the transport.
    void join(std::unique_ptr<Transport> transport);

    int rank() const noexcept override { return 0; }
    int size() const noexcept override { return size_; }

    void startSend(int to, Channel channel, IntBuffer ints) override;
    LendingSizes offersFrom() const noexcept override { return first_->offersFrom(); }
    void startOffer(int to, IntBuffer ints) override;
    bool isOffering() const noexcept override { return first_->isOffering(); }
    void closeOffer() override { first_->closeOffer(); }
    LendingSizes holdsFrom() const noexcept override { return first_->holdsFrom(); }
    void startHeld(int to, IntBuffer ints, std::shared_ptr<const void> holder) override;
    void decline(Packet& packet) override;
    std::optional<Packet> poll() override;
    std::size_t pendingSends() const noexcept override;
    std::size_t undelivered(int to) const noexcept override;
    void idle(std::chrono::microseconds atMost) override;
    bool survivesLosses() const noexcept override { return first_->survivesLosses(); }
    std::optional<Loss> nextLoss() override { return first_->nextLoss(); }
    [[noreturn]] void die(int exitStatus) override;
    void forget(int rank) override;
    Clock::time_point now() const noexcept override { return first_->now(); }
    bool hasVirtualTime() const noexcept override { return first_->hasVirtualTime(); }
    void wake() noexcept override { first_->wake(); }
    void finishTogether() noexcept override;
    [[noreturn]] void abort(int exitStatus) override;
    const Transport& inner() const noexcept override { return groups_.empty() ? first_->inner() : *this; }
    HostTeam* hostTeam(std::size_t memoryBytes) override { return first_->hostTeam(memoryBytes); }

private:
    void noteWait() noexcept override {
        if (groups_.empty()) passWaitOn(*first_);    // among several transports, none may keep the rank from the others
    }
    /// A group of ranks that have joined together.
    struct Group {
        int firstRank = 0;
        std::unique_ptr<Transport> transport;
    };
    /// A rank of this transport, as the transport that reaches the rank and its number there.
    struct Place {
        Transport& transport;
        int rank = 0;
    };

    Place placeOf(int rank) const;

    std::unique_ptr<Transport> first_;
    std::vector<Group> groups_;
    std::size_t turn_ = 0;    ///< the group polled last; the number of groups: the first transport
    int size_ = 0;
};

}    // namespace ferry::detail
