#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <ferry/connector/transport/Transport.hpp>

namespace ferry {

/// The transport of rank 0 where ranks may join while the job runs: that of the ranks which were there first and, for those that join
/// together, one more, in which this rank is rank 0 too. Only rank 0 and they reach each other.
///
/// Ownership: owns the transports. Threads and errors: theirs.
class GrowingTransport final : public Transport {
public:
    /// Errors: UsageError when this is not rank 0 of it.
    explicit GrowingTransport(std::unique_ptr<Transport> first);

    /// The other ranks of the transport join: its rank 1 becomes rank size() of this one, and so on.
    /// Errors: UsageError when this is not rank 0 of it.
    void join(std::unique_ptr<Transport> transport);

    int rank() const noexcept override { return 0; }
    int size() const noexcept override { return size_; }

    void startSend(int to, Channel channel, IntBuffer ints) override;
    LendingSizes offersFrom() const noexcept override { return first_->offersFrom(); }
    void startOffer(int to, IntBuffer ints) override;
    bool isOffering() const noexcept override { return first_->isOffering(); }
    void closeOffer() override { first_->closeOffer(); }
    void decline(Packet packet) override;
    std::optional<Packet> poll() override;
    std::size_t pendingSends() const noexcept override;
    std::size_t undelivered(int to) const noexcept override;
    void idle(std::chrono::microseconds atMost) override;
    bool survivesLosses() const noexcept override { return first_->survivesLosses(); }
    std::optional<Loss> nextLoss() override { return first_->nextLoss(); }
    void forget(int rank) override;
    Clock::time_point now() const noexcept override { return first_->now(); }
    bool hasVirtualTime() const noexcept override { return first_->hasVirtualTime(); }
    void wake() noexcept override { first_->wake(); }
    void finishTogether() noexcept override;
    [[noreturn]] void abort(int exitStatus) override;
    HostTeam* hostTeam(std::size_t memoryBytes) override { return first_->hostTeam(memoryBytes); }

private:
    /// A group of ranks that have joined together.
    struct Group {
        int firstRank = 0;
        std::unique_ptr<Transport> transport;
    };
    /// A rank of this transport as one of those that it is made of.
    struct Place {
        Transport& transport;
        int rank = 0;
    };

    Place placeOf(int rank) const;

    std::unique_ptr<Transport> first_;
    std::vector<Group> groups_;
    std::size_t turn_ = 0;    ///< which of them is looked at next; the number of groups: the first transport
    int size_ = 0;
};

}    // namespace ferry
