#include <ferry/tests/simulation/JoiningJob.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <numeric>
#include <utility>

#include <ferry/connector/message/Departures.hpp>
#include <ferry/connector/transport/GrowingTransport.hpp>
#include <ferry/connector/transport/JoinedTransport.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/framework/ending/ExitStatus.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/master/SlaveRecruiter.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>
#include <ferry/serialization/exception/xassert.hpp>

namespace ferry::test {

namespace {

/// The simulated network as a rank that is in several groups of ranks reaches it. It keeps what came for another group.
struct JoiningEndpoint {
    std::unique_ptr<detail::Transport> network;
    std::vector<std::deque<detail::Packet>> arrived;    ///< by group
    int knownRanks = 0;                                 ///< losses of ranks that have not joined are told when these have joined
    std::deque<detail::Loss> losses{};
    std::vector<int> groupOf{};    ///< by rank
};

/// The transport of one group of ranks: rank 0 and those who came together.
class JoiningLane final : public detail::Transport {
public:
    JoiningLane(std::shared_ptr<JoiningEndpoint> endpoint, std::size_t group, std::vector<int> members)
        : endpoint_(std::move(endpoint)),
          group_(group),
          members_(std::move(members)),
          rank_(placeOf(endpoint_->network->rank())) {}

    int rank() const noexcept override { return rank_; }
    int size() const noexcept override { return static_cast<int>(members_.size()); }
    void startSend(int to, detail::Channel channel, IntBuffer ints) override {
        endpoint_->network->startSend(rankAt(to), channel, std::move(ints));
    }
    std::optional<detail::Packet> poll() override {
        std::deque<detail::Packet>& own = endpoint_->arrived[group_];
        if (own.empty()) {
            std::optional<detail::Packet> packet = endpoint_->network->poll();
            if (!packet) return std::nullopt;
            const bool isInSeveral = endpoint_->network->rank() == 0;
            const std::size_t of = isInSeveral && packet->from != 0
                                       ? static_cast<std::size_t>(endpoint_->groupOf[static_cast<std::size_t>(packet->from)])
                                   : isInSeveral ? 0
                                                 : group_;
            endpoint_->arrived[of].push_back(std::move(*packet));
            if (own.empty()) return std::nullopt;
        }
        detail::Packet packet = std::move(own.front());
        own.pop_front();
        packet.from = placeOf(packet.from);
        return packet;
    }
    std::size_t pendingSends() const noexcept override { return group_ == 0 || rank_ != 0 ? endpoint_->network->pendingSends() : 0; }
    std::size_t undelivered(int to) const noexcept override { return endpoint_->network->undelivered(rankAt(to)); }
    void idle(std::chrono::microseconds atMost) override {
        const auto& arrived = endpoint_->arrived;
        if (std::all_of(arrived.begin(), arrived.end(), [](const auto& packets) { return packets.empty(); }))
            endpoint_->network->idle(atMost);
    }
    bool survivesLosses() const noexcept override { return endpoint_->network->survivesLosses(); }
    std::optional<detail::Loss> nextLoss() override {
        while (std::optional<detail::Loss> loss = endpoint_->network->nextLoss()) endpoint_->losses.push_back(std::move(*loss));
        const auto known = std::find_if(endpoint_->losses.begin(), endpoint_->losses.end(),
                                        [this](const detail::Loss& loss) { return loss.rank < endpoint_->knownRanks; });
        if (known == endpoint_->losses.end()) return std::nullopt;
        detail::Loss loss = *known;
        endpoint_->losses.erase(known);
        return loss;
    }
    void forget(int rank) override { endpoint_->network->forget(rankAt(rank)); }
    Clock::time_point now() const noexcept override { return endpoint_->network->now(); }
    bool hasVirtualTime() const noexcept override { return true; }
    void wake() noexcept override { endpoint_->network->wake(); }
    void finishTogether() noexcept override { endpoint_->network->finishTogether(); }
    [[noreturn]] void abort(int exitStatus) override {
        endpoint_->network->abort(exitStatus);
        std::terminate();    // not reached
    }

private:
    int rankAt(int place) const noexcept { return members_[static_cast<std::size_t>(place)]; }
    int placeOf(int rank) const noexcept { return static_cast<int>(std::find(members_.begin(), members_.end(), rank) - members_.begin()); }

    std::shared_ptr<JoiningEndpoint> endpoint_;
    std::size_t group_;
    std::vector<int> members_;    ///< ranks of the job
    int rank_;
};

/// The ranks of each group, rank 0 first.
std::vector<std::vector<int>> membersOf(const JoiningJob& job) {
    std::vector<std::vector<int>> members(1, std::vector<int>(static_cast<std::size_t>(job.firstRanks)));
    std::iota(members.front().begin(), members.front().end(), 0);
    int next = job.firstRanks;
    for (const int count : job.groups) {
        members.emplace_back(1, 0);
        for (int i = 0; i < count; ++i) members.back().push_back(next++);
    }
    return members;
}

class SimulatedRecruiter final : public detail::SlaveRecruiter {
public:
    SimulatedRecruiter(std::shared_ptr<JoiningEndpoint> endpoint, detail::GrowingTransport& growing, Connector& connector,
                       detail::Shutdown& shutdown, std::vector<std::vector<int>> members)
        : endpoint_(std::move(endpoint)),
          growing_(growing),
          connector_(connector),
          shutdown_(shutdown),
          members_(std::move(members)) {}

    bool canRecruit() const noexcept override { return true; }
    void recruit(int count) override {
        const std::vector<int>& members = members_.at(next_);
        xassert(count + 1 == static_cast<int>(members.size()));
        growing_.join(std::make_unique<JoiningLane>(endpoint_, next_, members));
        ++next_;
        endpoint_->knownRanks = growing_.size();
        detail::admitJoined(connector_);
        shutdown_.admitJoined();
    }

private:
    std::shared_ptr<JoiningEndpoint> endpoint_;
    detail::GrowingTransport& growing_;
    Connector& connector_;
    detail::Shutdown& shutdown_;
    std::vector<std::vector<int>> members_;    ///< by group
    std::size_t next_ = 1;
};

int beMaster(const JoiningJob& job, std::shared_ptr<JoiningEndpoint> endpoint) {
    const std::vector<std::vector<int>> members = membersOf(job);
    auto transport = std::make_unique<detail::GrowingTransport>(std::make_unique<JoiningLane>(endpoint, 0, members.front()));
    detail::GrowingTransport& growing = *transport;
    Connector connector(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip);
    job.begin(connector);
    detail::Shutdown shutdown(connector);
    SimulatedRecruiter recruiter(std::move(endpoint), growing, connector, shutdown, members);
    return shutdown.conduct(detail::Shutdown::End::WithMaster, [&] {
        Master master(connector, detail::BesideJob{.recruiter = &recruiter});
        job.program(master);
        return exitStatus::success;
    });
}

int beSlave(const JoiningJob& job, std::shared_ptr<JoiningEndpoint> endpoint) {
    const int rank = endpoint->network->rank();
    const auto group = static_cast<std::size_t>(endpoint->groupOf[static_cast<std::size_t>(rank)]);
    std::unique_ptr<detail::Transport> transport = std::make_unique<JoiningLane>(std::move(endpoint), group, membersOf(job)[group]);
    if (group != 0) transport = std::make_unique<detail::JoinedTransport>(std::move(transport), rank);
    Connector connector(std::move(transport), ObjectFactory::global(), RegistryComparison::Skip);
    if (group != 0) detail::noteJoined(connector);
    job.begin(connector);
    Slave slave;
    job.define(slave);
    detail::Shutdown shutdown(connector);
    return shutdown.conduct(detail::Shutdown::End::WithMaster, [&] {
        detail::SlaveLoop(slave, connector, 0).run();
        return exitStatus::success;
    });
}

}    // namespace

int JoiningJob::rankCount() const { return std::accumulate(groups.begin(), groups.end(), firstRanks); }

SimulationOf<int> simulateJoining(const JoiningJob& job, const SimulationOptions& options) {
    detail::Simulation simulation(job.rankCount(), options);
    SimulationOf<int> result;
    result.seed = options.seed;
    result.values.resize(static_cast<std::size_t>(job.rankCount()));
    result.ranks = simulation.run([&](int rank) {
        auto endpoint = std::make_shared<JoiningEndpoint>();
        endpoint->network = simulation.transport(rank);
        endpoint->arrived.resize(job.groups.size() + 1);
        endpoint->knownRanks = rank == 0 ? job.firstRanks : 1;
        endpoint->groupOf.assign(static_cast<std::size_t>(job.firstRanks), 0);
        for (std::size_t group = 0; group < job.groups.size(); ++group)
            endpoint->groupOf.insert(endpoint->groupOf.end(), static_cast<std::size_t>(job.groups[group]), static_cast<int>(group) + 1);
        result.values[static_cast<std::size_t>(rank)] = rank == 0 ? beMaster(job, std::move(endpoint)) : beSlave(job, std::move(endpoint));
    });
    result.stuckText = simulation.stuckText();
    result.abortStatus = simulation.abortStatus();
    result.time = simulation.time();
    result.trace = simulation.trace();
    return result;
}

}    // namespace ferry::test
