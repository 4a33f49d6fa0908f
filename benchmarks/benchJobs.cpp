// Measures the number of tasks that a master distributes per second, and the share of time in which slaves work.
//     mpirun -np 3 build/release/bin/benchJobs [number of tasks for the memory, in millions]
//     mpirun -np 3 build/release/bin/benchJobs empty        # 100,000 empty tasks, and nothing else
//     mpirun -np 3 python3 -m mpi4py.futures benchmarks/jobs/peer.py        # the same with mpi4py
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ferry/ferry.hpp>
#include <ferry/framework/monitor/Trace.hpp>

namespace benchJobs {

using Clock = std::chrono::steady_clock;

constexpr int windowCount = 5;

class Spin : public ferry::Message {
public:
    FERRY_CLASS(benchJobs::Spin)
    FERRY_FIELDS(microseconds)
    using Reply = ferry::Done;
    Spin() = default;
    explicit Spin(int theMicroseconds) : microseconds(theMicroseconds) {}
    int microseconds = 0;
};

class Payload : public ferry::Message {
public:
    FERRY_CLASS(benchJobs::Payload)
    FERRY_FIELDS(bytes)
    using Reply = ferry::Done;
    std::vector<char> bytes;
};

void spinFor(std::chrono::microseconds time) {
    const Clock::time_point end = Clock::now() + time;
    while (Clock::now() < end) {}
}

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Returns the median of several windows.
double medianOf(const std::function<double()>& measure) {
    std::vector<double> values;
    for (int window = 0; window < windowCount; ++window) values.push_back(measure());
    std::nth_element(values.begin(), values.begin() + windowCount / 2, values.end());
    return values[windowCount / 2];
}

template <class Range>
double secondsForAll(ferry::Master& master, Range&& tasks) {
    const Clock::time_point start = Clock::now();
    for ([[maybe_unused]] const ferry::Done& reply : master.map(std::forward<Range>(tasks), ferry::MapOrder::Completion)) {}
    return secondsSince(start);
}

auto emptyTasks(std::int64_t count) {
    return std::views::iota(std::int64_t{0}, count) | std::views::transform([](std::int64_t) { return Spin(0); });
}

void measureEmpty(ferry::Master& master) {
    constexpr int count = 200'000;
    const double mapped = medianOf([&] { return secondsForAll(master, emptyTasks(count)); });
    std::printf("empty tasks, map: %.0f/s\n", count / mapped);
    const double submitted = medianOf([&] {
        const Clock::time_point start = Clock::now();
        std::vector<ferry::Future<ferry::Done>> futures;
        for (int i = 0; i < count; ++i) futures.push_back(master.submit(Spin(0)));
        for (auto& future : futures) static_cast<void>(future.get());
        return secondsSince(start);
    });
    std::printf("empty tasks, submit and get: %.0f/s\n", count / submitted);
}

/// Measures only once, so that runs with different options can take turns.
void measureEmptyOnce(ferry::Master& master) {
    constexpr int count = 100'000;
    static_cast<void>(secondsForAll(master, emptyTasks(count / 10)));
    std::printf("empty tasks: %.0f/s\n", count / secondsForAll(master, emptyTasks(count)));
}

/// Measures the time to record one event of a trace. A task has three events: one at its slave and two at the master.
void measureRecording() {
    constexpr std::size_t count = 100'000;
    double best = 1e9;
    for (int window = 0; window < 20; ++window) {
        ferry::detail::TraceBuffer buffer(count);
        const Clock::time_point start = Clock::now();
        for (std::size_t i = 0; i < count; ++i) {
            const Clock::time_point now = Clock::now();
            buffer.add({ferry::detail::TraceEvent::Kind::Send, static_cast<std::int32_t>(i), 0, now, now});
        }
        best = std::min(best, secondsSince(start));
    }
    std::printf("an event of the trace: %.0f ns, the clock included\n", best / static_cast<double>(count) * 1e9);
}

/// Prints the share of the slaves' time that is spent working.
void measureEfficiency(ferry::Master& master, const char* name, const std::vector<Spin>& tasks) {
    double work = 0;
    for (const Spin& task : tasks) work += task.microseconds / 1e6;
    const double seconds = medianOf([&] { return secondsForAll(master, tasks); });
    std::printf("%s: efficiency %.3f\n", name, work / (seconds * master.slaveCount()));
}

void measurePayload(ferry::Master& master) {
    constexpr std::size_t count = 300;
    Payload task;
    task.bytes.assign(std::size_t{1} << 20, 'x');
    const std::vector<Payload> tasks(count, task);
    const double seconds = medianOf([&] { return secondsForAll(master, tasks); });
    std::printf("payload of 1 MiB: %.2f GB/s\n", static_cast<double>(count) * 1048576 / seconds / 1e9);
}

long residentKiB() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) return std::atol(line.c_str() + 6);
    }
    return 0;
}

void measureMemory(ferry::Master& master, std::int64_t count) {
    constexpr std::int64_t first = 100'000;
    secondsForAll(master, emptyTasks(first));
    const long before = residentKiB();
    secondsForAll(master, emptyTasks(count));
    std::printf("memory of the master: %ld KiB after %lld tasks, %ld KiB after %lld\n", before, static_cast<long long>(first),
                residentKiB(), static_cast<long long>(first + count));
}

}    // namespace benchJobs

using namespace benchJobs;

int main(int argc, char** argv) {
    ferry::Application app(argc, argv);
    app.slave().on<Spin>([](const Spin& task) {
        if (task.microseconds > 0) spinFor(std::chrono::microseconds(task.microseconds));
    });
    app.slave().on<Payload>([](const Payload&) {});
    if (argc > 1 && std::string_view(argv[1]) == "empty")
        return app.run([](ferry::Master& master) {
            measureRecording();
            measureEmptyOnce(master);
        });
    const double millions = argc > 1 ? std::atof(argv[1]) : 1;
    return app.run([millions](ferry::Master& master) {
        std::printf("%d slaves\n", master.slaveCount());
        measureEmpty(master);
        measureEfficiency(master, "tasks of 1 ms", std::vector<Spin>(1000, Spin(1000)));
        measureEfficiency(master, "tasks of 10 ms", std::vector<Spin>(100, Spin(10'000)));
        std::vector<Spin> tailed(2000, Spin(200));
        for (std::size_t i = 50; i < tailed.size(); i += 100) tailed[i] = Spin(20'000);
        measureEfficiency(master, "tasks of 0.2 ms, 1 in 100 of 20 ms", tailed);
        measurePayload(master);
        measureMemory(master, static_cast<std::int64_t>(millions * 1e6));
    });
}
