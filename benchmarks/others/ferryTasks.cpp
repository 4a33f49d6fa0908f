// Ferry's part of benchmarks/others/compare: empty tasks, and one large result that ten tasks use.
//     ferryTasks COUNT MEBIBYTES      prints lines "name: value"
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <ferry/ferry.hpp>

namespace ferrytasks {

using Clock = std::chrono::steady_clock;

struct Empty {
    int number = 0;
    using Reply = int;
};
struct Make {
    std::size_t count = 0;
    using Reply = std::vector<double>;
};
struct Use {
    ferry::Ref<std::vector<double>> data;
    int number = 0;
    using Reply = double;
};

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

void run(ferry::Master& master, int count, std::size_t mebibytes) {
    for (int i = 0; i < 100; ++i) master.submit(Empty{i}).get();    // the slaves are there, and all code is loaded

    auto begin = Clock::now();
    std::vector<ferry::Future<int>> futures;
    futures.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) futures.push_back(master.submit(Empty{i}));
    for (int i = 0; i < count; ++i) xassert(futures[static_cast<std::size_t>(i)].get() == i);
    std::printf("tasks in a second: %.0f\n", count / since(begin));

    std::vector<Empty> tasks;
    for (int i = 0; i < count; ++i) tasks.push_back(Empty{i});
    begin = Clock::now();
    long sum = 0;
    for (const int reply : master.map(tasks)) sum += reply;
    xassert(sum == static_cast<long>(count) * (count - 1) / 2);
    std::printf("tasks in a second, map: %.0f\n", count / since(begin));

    begin = Clock::now();
    const auto data = master.submit(Make{mebibytes * (1 << 20) / sizeof(double)}, ferry::Keep{}).get();
    std::vector<ferry::Future<double>> users;
    for (int i = 0; i < 10; ++i) users.push_back(master.submit(Use{data, i}));
    for (int i = 0; i < 10; ++i) xassert(users[static_cast<std::size_t>(i)].get() == i + 1.0);
    std::printf("seconds for ten users: %.4f\n", since(begin));
}

}    // namespace ferrytasks

int main(int argc, char** argv) {
    using namespace ferrytasks;
    ferry::Application app(argc, argv, ferry::ThreadRanks{3});
    const int count = argc > 1 ? std::atoi(argv[1]) : 10'000;
    const std::size_t mebibytes = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 100;
    app.slave().on<Empty>([](const Empty& task) { return task.number; });
    app.slave().on<Make>([](const Make& task) { return std::vector<double>(task.count, 1.0); });
    app.slave().on<Use>([](const Use& task) { return task.data->back() + task.number; });
    return app.run([&](ferry::Master& master) { run(master, count, mebibytes); });
}
