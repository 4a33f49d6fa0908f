// Measures how many slaves one master can feed. Jobs with thousands of slaves are simulated, with the code that runs under MPI.
//     build/release/bin/benchScale [greatest number of slaves [tasks for each slave [slaves of a sub-master [least number of slaves [us of
//     a task [runs [machines]]]]]]]
// machines: 1 for slaves that are no threads (SlaveMachines), so that there may be 100,000. They need sub-masters.
// Slaves and network are simulated. A task takes its given time. A packet takes up to 10 us (stragglers up to 200 us). Other computations
// of the slaves take no time. Computations of the master and the sub-masters take the time that they take on this machine. MPI is not used,
// and so takes no time.
#include <pthread.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <ferry/benchmarks/scale/ComputingTransport.hpp>
#include <ferry/benchmarks/scale/SlaveMachines.hpp>
#include <ferry/connector/transport/simulation/Simulation.hpp>
#include <ferry/connector/verbs/Inside.hpp>
#include <ferry/ferry.hpp>
#include <ferry/framework/ending/Shutdown.hpp>
#include <ferry/framework/master/BesideJob.hpp>
#include <ferry/framework/schedule/SlaveGroups.hpp>
#include <ferry/framework/slave/SlaveLoop.hpp>
#include <ferry/framework/slave/SubMaster.hpp>

namespace benchScale {

using namespace std::chrono_literals;

class Work : public ferry::Message {
public:
    FERRY_CLASS(benchScale::Work)
    FERRY_FIELDS(microseconds)
    using Reply = ferry::Done;
    Work() = default;
    explicit Work(int theMicroseconds) : microseconds(theMicroseconds) {}
    int microseconds = 0;
};

struct Job {
    int slaveCount = 0;
    std::size_t tasksPerSlave = 0;
    int microseconds = 0;        ///< of each task
    int groupSize = 0;           ///< number of slaves of a sub-master; 0: no sub-masters
    bool areMachines = false;    ///< whether slaves are no threads
    std::uint64_t seed = 0;

    std::size_t taskCount() const { return tasksPerSlave * static_cast<std::size_t>(slaveCount); }
};

struct Measured {
    double seconds = 0;    ///< simulated time from the first task to the last reply
    double efficiency = 0;
    double tasksPerSecond = 0;
    double computedPerTask = 0;    ///< time of the master, in us
    double packetsPerTask = 0;     ///< packets that the master has sent and received
};

/// Simulates the work of a slave: only simulated time passes.
void workFor(ferry::Connector& connector, std::chrono::microseconds time) {
    ferry::detail::Transport& transport = ferry::detail::mailboxOf(connector).transport();
    const ferry::detail::Transport::Clock::time_point end = transport.now() + time;
    while (transport.now() < end) {
        connector.poll();    // a rank cannot be idle while a packet is there
        transport.idle(std::chrono::ceil<std::chrono::microseconds>(end - transport.now()));
    }
}

Measured runTasks(ferry::Master& master, const Job& job, const Computed& computed) {
    ferry::detail::Transport& transport = ferry::detail::mailboxOf(master.connector()).transport();
    const ferry::detail::Transport::Clock::time_point begin = transport.now();
    const Computed before = computed;
    const std::vector<Work> tasks(job.taskCount(), Work(job.microseconds));
    for ([[maybe_unused]] const ferry::Done& done : master.map(tasks, ferry::MapOrder::Completion)) continue;
    const auto count = static_cast<double>(job.taskCount());
    Measured measured;
    measured.seconds = std::chrono::duration<double>(transport.now() - begin).count();
    measured.efficiency = 1e-6 * job.microseconds * static_cast<double>(job.tasksPerSlave) / measured.seconds;
    measured.tasksPerSecond = count / measured.seconds;
    measured.computedPerTask = 1e6 * std::chrono::duration<double>(computed.time - before.time).count() / count;
    measured.packetsPerTask = static_cast<double>(computed.packetCount - before.packetCount) / count;
    return measured;
}

ferry::SimulationOptions optionsFor(const Job& job) {
    ferry::SimulationOptions options;
    options.seed = job.seed;
    options.callTime = 0us;
    options.packetDelay = 10us;
    options.maxCalls = UINT64_MAX;
    return options;
}

/// computed: indexed by rank. Only computations of the master and of sub-masters take time.
ferry::SimulationOptions optionsFor(const Job& job, const ferry::detail::SlaveGroups& groups, std::vector<Computed>& computed) {
    ferry::SimulationOptions options = optionsFor(job);
    options.decorate = [&](std::unique_ptr<ferry::detail::Transport> transport) -> std::unique_ptr<ferry::detail::Transport> {
        const int rank = transport->rank();
        if (rank != 0 && !groups.isSubMaster(rank)) return transport;
        return std::make_unique<ComputingTransport>(std::move(transport), computed[static_cast<std::size_t>(rank)]);
    };
    return options;
}

/// Runs a job. First the master gets two tasks per slave, from which it learns the duration of a task. The tasks after them are measured.
Measured simulate(const Job& job) {
    std::vector<Computed> computed(static_cast<std::size_t>(job.slaveCount) + 1);
    Measured measured;
    ferry::Slave slave;
    slave.on<Work>([](const Work& work, ferry::Task& task) { workFor(task.connector(), std::chrono::microseconds(work.microseconds)); });
    const ferry::detail::SlaveGroups groups =
        job.groupSize > 0 ? ferry::detail::SlaveGroups(job.slaveCount, job.groupSize) : ferry::detail::SlaveGroups();
    ferry::detail::Simulation simulation(job.slaveCount + 1, optionsFor(job, groups, computed));
    const std::vector<ferry::detail::Simulation::Ending> endings = simulation.run([&](int rank) {
        ferry::Connector connector(simulation.transport(rank), ferry::ObjectFactory::global(), ferry::RegistryComparison::Skip);
        ferry::detail::Shutdown shutdown(connector);
        static_cast<void>(shutdown.conduct(ferry::detail::Shutdown::End::WithMaster, [&]() -> int {
            if (groups.isSubMaster(connector.rank())) ferry::detail::SubMaster(connector, groups).run();
            if (!connector.isMaster()) {
                ferry::detail::SlaveLoop(slave, connector, groups.masterOf(connector.rank())).run();
                return 0;
            }
            pthread_setname_np(pthread_self(), "master");
            ferry::Master master(connector, ferry::detail::BesideJob{.groups = groups});
            static_cast<void>(runTasks(master, {job.slaveCount, 2, job.microseconds, job.groupSize, false, job.seed}, computed.front()));
            measured = runTasks(master, job, computed.front());
            return 0;
        }));
    });
    for (const ferry::detail::Simulation::Ending& ending : endings) {
        if (ending.exception) std::rethrow_exception(ending.exception);
    }
    return measured;
}

/// Runs a job like simulate(), with slaves that are no threads.
Measured simulateWithMachines(const Job& job) {
    const ferry::detail::SlaveGroups groups(job.slaveCount, job.groupSize);
    const Places places(job.slaveCount + 1, groups.subMasters());
    std::vector<Computed> computed(static_cast<std::size_t>(places.simulatedCount()));
    ferry::SimulationOptions options = optionsFor(job);
    options.decorate = [&](std::unique_ptr<ferry::detail::Transport> transport) -> std::unique_ptr<ferry::detail::Transport> {
        const int simulated = transport->rank();
        const int rank = places.rankOf(simulated);
        const int slaveCount = rank == 0 ? 0 : static_cast<int>(groups.slavesOf(rank).size());
        auto machines =
            std::make_unique<SlaveMachines>(std::move(transport), places, slaveCount, std::chrono::microseconds(job.microseconds),
                                            job.seed * 1'000'003 + static_cast<std::uint64_t>(rank));
        return std::make_unique<ComputingTransport>(std::move(machines), computed[static_cast<std::size_t>(simulated)]);
    };
    Measured measured;
    ferry::detail::Simulation simulation(places.simulatedCount(), options);
    const std::vector<ferry::detail::Simulation::Ending> endings = simulation.run([&](int simulated) {
        ferry::Connector connector(simulation.transport(simulated), ferry::ObjectFactory::global(), ferry::RegistryComparison::Skip);
        if (!connector.isMaster()) {
            try {
                ferry::detail::SubMaster(connector, groups).run();
            } catch (const ferry::Terminated&) {
                return;
            }
        }
        pthread_setname_np(pthread_self(), "master");
        ferry::Master master(connector, ferry::detail::BesideJob{.groups = groups});
        Job first = job;
        first.tasksPerSlave = 2;
        static_cast<void>(runTasks(master, first, computed.front()));
        measured = runTasks(master, job, computed.front());
        for (const int subMaster : groups.subMasters()) {
            ferry::detail::mailboxOf(connector).post(subMaster, ferry::detail::Channel::Control,
                                                     ferry::detail::Envelope{ferry::detail::MessageKind::Stop, 0, 0},
                                                     [](ferry::IntWriter& out) { out << std::string("the job is done"); });
        }
    });
    for (const ferry::detail::Simulation::Ending& ending : endings) {
        if (ending.exception) std::rethrow_exception(ending.exception);
    }
    return measured;
}

/// Returns the run with the median time.
Measured medianOf(Job job, int runCount) {
    std::vector<Measured> runs(static_cast<std::size_t>(runCount));
    for (Measured& run : runs) {
        ++job.seed;
        run = job.areMachines ? simulateWithMachines(job) : simulate(job);
    }
    std::sort(runs.begin(), runs.end(), [](const Measured& left, const Measured& right) { return left.seconds < right.seconds; });
    return runs[runs.size() / 2];
}

void printRow(const Job& job, int runCount) {
    const Measured measured = medianOf(job, runCount);
    std::printf("| %d | %.0f | %zu | %.3f | %.3f | %.0f | %.2f | %.2f | %.2f |\n", job.slaveCount, 1e-3 * job.microseconds, job.taskCount(),
                measured.seconds, measured.efficiency, measured.tasksPerSecond, measured.packetsPerTask, measured.computedPerTask,
                1e-6 * measured.computedPerTask * measured.tasksPerSecond);
    std::fflush(stdout);
}

}    // namespace benchScale

int main(int argc, char** argv) {
    const int greatest = argc > 1 ? std::atoi(argv[1]) : 10'000;
    const int tasksPerSlave = argc > 2 ? std::max(std::atoi(argv[2]), 0) : 0;
    const int groupSize = argc > 3 ? std::atoi(argv[3]) : 0;
    const int least = argc > 4 ? std::atoi(argv[4]) : 16;
    const int onlyMicroseconds = argc > 5 ? std::atoi(argv[5]) : 0;
    const int runCount = argc > 6 ? std::max(std::atoi(argv[6]), 1) : 3;
    const bool areMachines = argc > 7 && std::atoi(argv[7]) != 0;
    std::printf("| slaves | ms of a task | tasks | simulated s | efficiency | tasks/s | packets a task | master, us a task | share |\n");
    std::printf("|---|---|---|---|---|---|---|---|---|\n");
    for (const int slaveCount : {16, 256, 1000, 10'000, 100'000}) {
        if (slaveCount > greatest) break;
        if (slaveCount < least || (areMachines && slaveCount < groupSize)) continue;
        const int usualCount = slaveCount > 1000 ? 20 : 100;
        for (const int microseconds : {1000, 10'000, 100'000}) {
            if (onlyMicroseconds != 0 && microseconds != onlyMicroseconds) continue;
            const auto tasks = static_cast<std::size_t>(tasksPerSlave > 0 ? tasksPerSlave : usualCount);
            benchScale::printRow({slaveCount, tasks, microseconds, groupSize, areMachines, 0}, runCount);
        }
    }
}
