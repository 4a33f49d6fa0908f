// How many slaves one master can feed: jobs of thousands of slaves in simulation, with the code that runs under MPI.
//     build/release/bin/benchScale [greatest number of slaves]
// Slaves and network are simulated: a task takes its time, a packet its delay, and computing nothing. What the master computes is measured:
// the processor time of its thread, most of it for the simulation itself where slaves are few.
#include <time.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <ferry/connector/simulate.hpp>
#include <ferry/ferry.hpp>
#include <ferry/framework/Shutdown.hpp>
#include <ferry/framework/SlaveLoop.hpp>

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

struct Measured {
    std::chrono::nanoseconds simulated{0};    ///< from the first task to the last reply
    double masterSeconds = 0;                 ///< of its thread's processor time
};

double threadSeconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A slave at work: simulated time passes.
void workFor(ferry::Connector& connector, std::chrono::microseconds time) {
    ferry::Transport& transport = connector.mailbox().transport();
    const ferry::Transport::Clock::time_point end = transport.now() + time;
    while (transport.now() < end) {
        connector.poll();    // nothing rests while a packet is there
        transport.idle(std::chrono::ceil<std::chrono::microseconds>(end - transport.now()));
    }
}

Measured runTasks(ferry::Master& master, std::size_t taskCount, int microseconds) {
    ferry::Transport& transport = master.connector().mailbox().transport();
    const ferry::Transport::Clock::time_point begin = transport.now();
    const double before = threadSeconds();
    const std::vector<Work> tasks(taskCount, Work(microseconds));
    for ([[maybe_unused]] const ferry::Done& done : master.map(tasks, ferry::MapOrder::Completion)) continue;
    return {transport.now() - begin, threadSeconds() - before};
}

/// The tasks of a job with so many slaves, after as many as are needed to learn how long a task takes.
Measured simulateJob(int slaveCount, std::size_t taskCount, int microseconds, std::uint64_t seed) {
    ferry::SimulationOptions options;
    options.seed = seed;
    options.callTime = 0us;
    options.packetDelay = 10us;
    options.maxCalls = UINT64_MAX;
    Measured measured;
    ferry::Slave slave;
    slave.on<Work>([](const Work& work, ferry::Task& task) { workFor(task.connector(), std::chrono::microseconds(work.microseconds)); });
    const ferry::SimulationResult result = ferry::simulate(slaveCount + 1, options, [&](ferry::Connector& connector) {
        ferry::Shutdown shutdown(connector);
        static_cast<void>(shutdown.conduct(ferry::Shutdown::End::WithMaster, [&]() -> int {
            if (!connector.isMaster()) ferry::SlaveLoop(slave, connector).run();
            ferry::Master master(connector);
            static_cast<void>(runTasks(master, 2 * static_cast<std::size_t>(slaveCount), microseconds));
            measured = runTasks(master, taskCount, microseconds);
            return 0;
        }));
    });
    if (!result.haveAllReturned()) {
        std::fprintf(stderr, "%s\n", result.describe().substr(0, 2000).c_str());
        std::exit(1);
    }
    return measured;
}

void printRow(int slaveCount, std::size_t tasksPerSlave, int microseconds, std::uint64_t seed) {
    const std::size_t taskCount = tasksPerSlave * static_cast<std::size_t>(slaveCount);
    const Measured measured = simulateJob(slaveCount, taskCount, microseconds, seed);
    const double seconds = std::chrono::duration<double>(measured.simulated).count();
    const double work = 1e-6 * static_cast<double>(microseconds) * static_cast<double>(tasksPerSlave);
    const double perTask = measured.masterSeconds / static_cast<double>(taskCount);
    std::printf("| %d | %zu | %.1f | %.3f | %.3f | %.2f | %.0f | %.0f |\n", slaveCount, taskCount, 1e-3 * microseconds, seconds,
                work / seconds, 1e6 * perTask, 1 / perTask, static_cast<double>(slaveCount) / (1e-6 * microseconds));
    std::fflush(stdout);
}

}    // namespace benchScale

int main(int argc, char** argv) {
    const int greatest = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::printf(
        "| slaves | tasks | ms of a task | simulated s | efficiency | master, us for a task | so tasks/s at most | tasks/s wanted |\n");
    std::printf("|---|---|---|---|---|---|---|---|\n");
    for (const int slaveCount : {2, 16, 256, 1000, 10'000}) {
        if (slaveCount > greatest) break;
        for (const int microseconds : {1000, 10'000}) benchScale::printRow(slaveCount, slaveCount > 1000 ? 20 : 100, microseconds, 1);
    }
}
