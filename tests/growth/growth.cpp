// Does one thing many times, and looks whether the process grows. A quarter of the times comes first, so that all caches are filled.
//   ferryGrowth messages COUNT      messages of two ranks: objects, strings, vectors of up to 256 KiB, graphs
//   ferryGrowth exceptions COUNT    exceptions of handlers, each caught on the master
//   ferryGrowth regions COUNT       guarded regions in which a rank throws
//   ferryGrowth jobs COUNT          simulated jobs of four ranks, one after the other
//   ferryGrowth losses COUNT        simulated jobs in which two of six slaves die
//   ferryGrowth leak COUNT          leaves 64 bytes each time, which must be found
// On threads, or under mpirun, where each rank looks at its own process. Exit status 1: it grows.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <ferry/ferry.hpp>
#include <ferry/simulate.hpp>
#include <ferry/tests/growth/Footprint.hpp>
#include <ferry/tests/support/TemporaryFolder.hpp>

namespace growthtest {

using ferry::test::Footprint;

/// Looks at the process after a quarter of the times, and at the end.
class Watch {
public:
    explicit Watch(std::uint64_t count) : quarter_(count / 4), count_(count) {}

    std::uint64_t count() const noexcept { return count_; }
    /// To be called before each time, and once after the last.
    void pass(std::uint64_t done) {
        if (done == quarter_) first_ = Footprint::now();
        if (done != count_) return;
        const Footprint last = Footprint::now();
        std::printf("after %llu: %s\nafter %llu: %s\n", static_cast<unsigned long long>(quarter_), first_.text().c_str(),
                    static_cast<unsigned long long>(count_), last.text().c_str());
        std::fflush(stdout);
        const std::string growth = last.growthSince(first_);
        if (!growth.empty()) throw std::runtime_error("the process grows: " + growth);
    }

private:
    const std::uint64_t quarter_, count_;
    Footprint first_;
};

struct Reading {
    std::string name;
    std::vector<double> values;
    std::optional<int> station;
};

struct Node {
    std::vector<Node*> next;
    int number = 0;
    FERRY_FIELDS(next, number)
};

struct Failing {
    std::uint64_t number = 0;
    using Reply = int;
};

class Overheated : public ferry::Exception {
public:
    FERRY_EXCEPTION(Overheated)
    FERRY_FIELDS(readings)
    Overheated() = default;
    explicit Overheated(std::size_t count) : ferry::Exception("overheated"), readings(count, 1.5) {}
    std::vector<double> readings;
};

Reading readingOf(std::uint64_t number) {
    const std::size_t length = number % 1000 == 0 ? 32'768 : number % 7;
    return {fmt::format("reading {}", number), std::vector<double>(length, static_cast<double>(number)), static_cast<int>(number % 5)};
}

void exchange(ferry::Connector& connector, std::uint64_t number) {
    const int other = 1 - connector.rank();
    if (number % 64 == 1) {
        Node first, second;
        first.next = {&second};
        second.next = {&first, &second};
        second.number = static_cast<int>(number % 1000);
        if (connector.rank() == 0) connector.send(other, ferry::graph(&first));
        const auto came = connector.receiveGraph<Node>(other);
        xassert(came->next[0]->next[0] == came.root());
        if (connector.rank() == 1) connector.send(other, ferry::graph(&first));
        return;
    }
    if (connector.rank() == 0) connector.send(other, readingOf(number));
    const auto came = connector.receive<Reading>(other);
    xassert(came.name == fmt::format("reading {}", number));
    if (connector.rank() == 1) connector.send(other, came);
}

void messages(ferry::Connector& connector, Watch watch) {
    if (connector.rank() > 1) return;
    for (std::uint64_t number = 0; number < watch.count(); ++number) {
        watch.pass(number);
        exchange(connector, number);
    }
    watch.pass(watch.count());
}

void regions(ferry::Connector& connector, Watch watch) {
    for (std::uint64_t number = 0; number < watch.count(); ++number) {
        watch.pass(number);
        const int failing = static_cast<int>(number % static_cast<std::uint64_t>(connector.size()));
        try {
            connector.guarded([&] {
                if (connector.rank() == failing) throw Overheated(number % 100);
                static_cast<void>(connector.allReduce(1, ferry::Sum{}));
            });
            throw std::logic_error("the region has not failed");
        } catch (const ferry::ExceptionList& failed) {
            xassert(failed.size() == 1);
        }
    }
    watch.pass(watch.count());
}

void exceptions(ferry::Master& master, Watch watch) {
    for (std::uint64_t number = 0; number < watch.count(); ++number) {
        watch.pass(number);
        try {
            master.submit(Failing{number}).get();
            throw std::logic_error("the task has not failed");
        } catch (const Overheated& caught) {
            xassert(caught.readings.size() == number % 100);
        }
    }
    watch.pass(watch.count());
}

ferry::Slave failingSlave() {
    ferry::Slave slave;
    slave.on<Failing>([](const Failing& task) -> int { throw Overheated(task.number % 100); });
    return slave;
}

void simulated(Watch watch, int rankCount, int deaths) {
    const ferry::Slave slave = failingSlave();
    for (std::uint64_t number = 0; number < watch.count(); ++number) {
        watch.pass(number);
        ferry::SimulationOptions options;
        options.seed = number;
        if (deaths > 0) options.tellsDeathsWithin = std::chrono::milliseconds(1);
        for (int rank = 1; rank <= deaths; ++rank)
            options.faults.push_back({rank, 1 + (number * static_cast<std::uint64_t>(rank)) % 40, ferry::Fault::Kind::Kill});
        const auto result = ferry::simulateJob(rankCount, options, slave, [](ferry::Master& master) {
            for (std::uint64_t task = 0; task < 4; ++task) {
                try {
                    master.submit(Failing{task}).get();
                } catch (const Overheated&) {}
            }
        });
        if (!result.stuckText.empty() || result.abortStatus) throw std::runtime_error(result.describe() + " " + result.stuckText);
    }
    watch.pass(watch.count());
}

void leak(Watch watch) {
    static std::vector<std::unique_ptr<std::string>> left;
    for (std::uint64_t number = 0; number < watch.count(); ++number) {
        watch.pass(number);
        left.push_back(std::make_unique<std::string>(40, 'x'));
    }
    watch.pass(watch.count());
}

}    // namespace growthtest

int main(int argc, char** argv) {
    using namespace growthtest;
    const ferry::test::TemporaryFolder folder;
    setenv("TMPDIR", folder.path().c_str(), 1);    // before any thread is there
    ferry::Application app(argc, argv, ferry::ThreadRanks{2});
    if (argc != 3) {
        std::fprintf(stderr, "usage: ferryGrowth messages|exceptions|regions|jobs|losses|leak COUNT\n");
        return 2;
    }
    const std::string_view kind = argv[1];
    const Watch watch(std::strtoull(argv[2], nullptr, 10));
    if (kind == "messages") return app.runOnAll([&](ferry::Connector& connector) { messages(connector, watch); });
    if (kind == "regions") return app.runOnAll([&](ferry::Connector& connector) { regions(connector, watch); });
    if (kind == "exceptions") {
        app.slave() = failingSlave();
        return app.run([&](ferry::Master& master) { exceptions(master, watch); });
    }
    try {
        if (kind == "jobs")
            simulated(watch, 4, 0);
        else if (kind == "losses")
            simulated(watch, 7, 2);
        else if (kind == "leak")
            leak(watch);
        else
            throw std::invalid_argument(fmt::format("there is no kind '{}'", kind));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "ferryGrowth: %s\n", error.what());
        return 1;
    }
    return 0;
}
