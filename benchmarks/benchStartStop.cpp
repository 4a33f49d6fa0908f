// Measures the start and the end of jobs with thousands of ranks: the greatest number of letters of a rank, and the simulated time. A job
// ends in order, or since a slave fails. Jobs are simulated, with the code that runs under MPI.
//     build/release/bin/benchStartStop [greatest number of slaves [slaves of a sub-master]]
//     build/release/bin/benchStartStop all [greatest number of ranks]
// all: jobs in which every rank has a part (Application::runOnAll). There, a rank may also be killed.
// A packet takes up to 10 us (stragglers up to 200 us). Each packet costs the sender a microsecond, and the receiver another one.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ferry/benchmarks/scale/PassingTransport.hpp>
#include <ferry/connector/transport/simulation/Simulation.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/ferry.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>
#include <ferry/framework/slave/SubMaster.hpp>

namespace benchStartStop {

using namespace std::chrono_literals;
using Clock = ferry::detail::Transport::Clock;

constexpr std::chrono::microseconds costOfPacket{1};

/// Packets of a rank.
struct Count {
    std::size_t sent = 0;
    std::size_t received = 0;

    std::size_t greater() const { return std::max(sent, received); }
    Count operator-(const Count& other) const { return {sent - other.sent, received - other.received}; }
};

/// Counts the packets of a rank. Each packet keeps the rank busy for a while. Ownership: `count` must outlive the transport.
class CountingTransport final : public benchScale::PassingTransport {
public:
    CountingTransport(std::unique_ptr<ferry::detail::Transport> inner, Count& count) : PassingTransport(std::move(inner)), count_(count) {}

    void startSend(int to, ferry::detail::Channel channel, ferry::IntBuffer ints) override {
        ++count_.sent;
        PassingTransport::startSend(to, channel, std::move(ints));
        pass(costOfPacket);
    }
    std::optional<ferry::detail::Packet> poll() override {
        std::optional<ferry::detail::Packet> packet = PassingTransport::poll();
        if (!packet) return packet;
        ++count_.received;
        pass(costOfPacket);
        return packet;
    }

private:
    Count& count_;
};

/// The packets of one phase, and the time that the phase took.
struct Phase {
    Count ofMaster;
    std::size_t mostOfSlave = 0;    ///< sent or received, whichever is more
    Clock::time_point end{};
    double milliseconds = 0;

    void note(int rank, const Count& count, Clock::time_point now) {
        if (rank == 0) ofMaster = count;
        if (rank != 0) mostOfSlave = std::max(mostOfSlave, count.greater());
        end = std::max(end, now);
    }
};

/// Runs a job without tasks. fails: a slave throws an exception instead of serving.
std::pair<Phase, Phase> simulate(int slaveCount, int groupSize, bool fails) {
    std::vector<Count> counts(static_cast<std::size_t>(slaveCount) + 1);
    ferry::SimulationOptions options;
    options.callTime = 0us;
    options.packetDelay = 10us;
    options.maxCalls = UINT64_MAX;
    options.decorate = [&](std::unique_ptr<ferry::detail::Transport> transport) -> std::unique_ptr<ferry::detail::Transport> {
        Count& count = counts[static_cast<std::size_t>(transport->rank())];
        return std::make_unique<CountingTransport>(std::move(transport), count);
    };
    const ferry::Slave slave;
    const ferry::detail::SlaveGroups groups =
        groupSize > 0 ? ferry::detail::SlaveGroups(slaveCount, groupSize) : ferry::detail::SlaveGroups();
    Phase start, stop;
    Clock::time_point begin{}, told{};
    ferry::detail::Simulation simulation(slaveCount + 1, options);
    const std::vector<ferry::detail::Simulation::Ending> endings = simulation.run([&](int rank) {
        const Count& count = counts[static_cast<std::size_t>(rank)];
        std::unique_ptr<ferry::detail::Transport> transport = simulation.transport(rank);
        if (rank == 0) begin = transport->now();
        ferry::Connector connector(std::move(transport));
        start.note(rank, count, connector.now());
        const Count atStart = count;
        ferry::detail::Shutdown shutdown(connector);
        static_cast<void>(shutdown.conduct(ferry::detail::Shutdown::End::WithMaster, [&]() -> int {
            if (fails && connector.rank() == slaveCount / 2) {
                told = connector.now();
                throw std::runtime_error("this slave fails");
            }
            if (groups.isSubMaster(connector.rank())) ferry::detail::SubMaster(connector, groups).run();
            if (!connector.isMaster()) {
                ferry::detail::SlaveLoop(slave, connector, groups.masterOf(connector.rank())).run();
                return 0;
            }
            ferry::Master master(connector, ferry::detail::BesideJob{.groups = groups});
            if (fails) connector.receive<int>(1);    // throws when the job is stopped
            told = connector.now();
            return 0;
        }));
        stop.note(rank, count - atStart, connector.now());
    });
    for (const ferry::detail::Simulation::Ending& ending : endings) {
        if (ending.exception) std::rethrow_exception(ending.exception);
    }
    start.milliseconds = std::chrono::duration<double, std::milli>(start.end - begin).count();
    stop.milliseconds = std::chrono::duration<double, std::milli>(stop.end - told).count();
    return {start, stop};
}

/// The event that ends a job in which every rank has a part.
enum class Event { Return, Throw, Kill, Late };

/// Runs a job in which every rank has a part. Each of them returns at once. One rank may throw, or be killed, or come two seconds later.
Phase simulateAll(int rankCount, Event event) {
    std::vector<Count> counts(static_cast<std::size_t>(rankCount));
    ferry::SimulationOptions options;
    options.callTime = 0us;
    options.packetDelay = 10us;
    options.maxCalls = UINT64_MAX;
    if (event == Event::Kill) {
        options.tellsDeathsWithin = 1ms;
        options.faults.push_back({rankCount / 2, 5, ferry::Fault::Kind::Kill});
    }
    options.decorate = [&](std::unique_ptr<ferry::detail::Transport> transport) -> std::unique_ptr<ferry::detail::Transport> {
        Count& count = counts[static_cast<std::size_t>(transport->rank())];
        return std::make_unique<CountingTransport>(std::move(transport), count);
    };
    Phase end;
    Clock::time_point begin{};
    ferry::detail::Simulation simulation(rankCount, options);
    static_cast<void>(simulation.run([&](int rank) {
        std::unique_ptr<ferry::detail::Transport> transport = simulation.transport(rank);
        begin = transport->now();
        ferry::Connector connector(std::move(transport), ferry::ObjectFactory::global(), ferry::RegistryComparison::Skip);
        ferry::detail::Shutdown shutdown(connector);
        static_cast<void>(shutdown.conduct(ferry::detail::Shutdown::End::WithAll, [&]() -> int {
            if (rank != rankCount / 2) return 0;
            if (event == Event::Throw) throw std::runtime_error("this rank fails");
            if (event == Event::Late || event == Event::Kill) {
                const Clock::time_point late = connector.now() + 2s;
                while (connector.now() < late) {
                    connector.poll();
                    ferry::detail::mailboxOf(connector).transport().idle(
                        std::chrono::ceil<std::chrono::microseconds>(late - connector.now()));
                }
            }
            return 0;
        }));
        end.note(rank, counts[static_cast<std::size_t>(rank)], connector.now());
    }));
    end.milliseconds = std::chrono::duration<double, std::milli>(end.end - begin).count();
    return end;
}

void printRow(int slaveCount, const char* name, const Phase& phase) {
    std::printf("| %d | %s | %zu | %zu | %zu | %.2f |\n", slaveCount, name, phase.ofMaster.sent, phase.ofMaster.received, phase.mostOfSlave,
                phase.milliseconds);
    std::fflush(stdout);
}

}    // namespace benchStartStop

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "all") == 0) {
        const int most = argc > 2 ? std::atoi(argv[2]) : 1024;
        std::printf("| ranks | phase | rank 0 sends | rank 0 receives | another at most | simulated ms |\n");
        std::printf("|---|---|---|---|---|---|\n");
        for (const int rankCount : {16, 64, 256, 1024, 10'000}) {
            if (rankCount > most) break;
            using benchStartStop::Event;
            benchStartStop::printRow(rankCount, "end", benchStartStop::simulateAll(rankCount, Event::Return));
            benchStartStop::printRow(rankCount, "one throws", benchStartStop::simulateAll(rankCount, Event::Throw));
            benchStartStop::printRow(rankCount, "one is killed", benchStartStop::simulateAll(rankCount, Event::Kill));
            benchStartStop::printRow(rankCount, "one is 2 s late", benchStartStop::simulateAll(rankCount, Event::Late));
        }
        return 0;
    }
    const int greatest = argc > 1 ? std::atoi(argv[1]) : 10'000;
    const int groupSize = argc > 2 ? std::atoi(argv[2]) : 255;
    std::printf("| slaves | phase | master sends | master receives | a slave at most | simulated ms |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const int slaveCount : {100, 1000, 10'000, 30'000}) {
        if (slaveCount > greatest) break;
        const int slavesOfGroup = slaveCount > groupSize ? groupSize : 0;
        const auto [start, stop] = benchStartStop::simulate(slaveCount, slavesOfGroup, false);
        benchStartStop::printRow(slaveCount, "start", start);
        benchStartStop::printRow(slaveCount, "end", stop);
        benchStartStop::printRow(slaveCount, "failed end", benchStartStop::simulate(slaveCount, slavesOfGroup, true).second);
    }
}
