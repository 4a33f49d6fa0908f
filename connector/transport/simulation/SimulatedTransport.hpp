#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include <ferry/connector/transport/Transport.hpp>
#include <ferry/connector/transport/simulation/Simulation.hpp>

namespace ferry::detail {

/// One rank's end of a simulated network.
///
/// Ownership: the simulation must outlive it. Threads: used on the thread that Simulation::run has made for the rank, while that thread has
/// the turn. wake() may be called on any thread. The effect of a wake() from outside of the simulation is not fixed by the seed. Errors: as
/// Simulation.
class SimulatedTransport final : public Transport {
public:
    SimulatedTransport(Simulation& simulation, int rank) : simulation_(simulation), rank_(rank) {}
    ~SimulatedTransport() override { simulation_.close(rank_); }

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return simulation_.size(); }
    void startSend(int to, Channel channel, IntBuffer ints) override { simulation_.send(rank_, to, channel, std::move(ints)); }
    std::optional<Packet> poll() override { return simulation_.poll(rank_); }
    std::size_t pendingSends() const noexcept override { return simulation_.countUnderWay(rank_); }
    std::size_t undelivered(int to) const noexcept override { return simulation_.countUntaken(rank_, to); }
    void idle(std::chrono::microseconds atMost) override { simulation_.rest(rank_, atMost); }
    bool survivesLosses() const noexcept override { return simulation_.tellsDeaths(); }
    std::optional<Loss> nextLoss() override { return simulation_.nextLoss(rank_); }
    Clock::time_point now() const noexcept override { return Clock::time_point(simulation_.timeOf(rank_)); }
    bool hasVirtualTime() const noexcept override { return true; }
    const WaitText* describeWaitBy(const WaitText* text) noexcept override { return simulation_.describeWaitBy(rank_, text); }
    void wake() noexcept override { simulation_.wake(rank_); }
    void finishTogether() noexcept override {}
    [[noreturn]] void abort(int exitStatus) override { simulation_.abort(rank_, exitStatus); }

    /// Kills this rank here, as a fault does (Fault::Kind::Kill). The call is for programs that decide themselves when a rank dies.
    [[noreturn]] void die() { simulation_.die(rank_); }
    [[noreturn]] void die(int) override { die(); }

private:
    Simulation& simulation_;
    int rank_;
};

}    // namespace ferry::detail
