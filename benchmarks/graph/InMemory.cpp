#include <functional>
#include <memory>
#include <string>

#include <ferry/benchmarks/graph/Libraries.hpp>
#include <ferry/benchmarks/graph/Limits.hpp>
#include <ferry/benchmarks/graph/Measurements.hpp>
#include <ferry/benchmarks/support/RatioTable.hpp>
#include <ferry/benchmarks/support/Worker.hpp>

namespace bench {

namespace {

/// Adds a contender that runs in a process of its own.
void addWorker(Suite& suite, const std::string& caseName, const std::string& name, const std::function<Worker::Operation()>& setUp) {
    const auto worker = std::make_shared<Worker>(name, setUp);
    suite.addTimed(caseName, name, [worker] { return worker->runOnce(); });
}

void addLimits(Suite& suite, const GraphCase& graph) {
    addWorker(suite, graph.name(), "limit", [&graph] {
        return [limits = std::make_shared<GraphLimits>(graph)] {
            const double start = threadCpuNs();
            const auto nodes = limits->allocate();
            return threadCpuNs() - start;
        };
    });
    addWorker(suite, graph.name(), "memcpy", [&graph] {
        return [limits = std::make_shared<GraphLimits>(graph)] {
            const double start = threadCpuNs();
            limits->copyBytes();
            return threadCpuNs() - start;
        };
    });
}

template <class Entry>
Worker::Operation setUpCopy(const GraphCase& graph, const std::string& name) {
    const auto library = Entry::make(graph);
    requireSame(*library, library->copyInMemory(), name);
    return [library] {
        const double start = threadCpuNs();
        const auto copy = library->copyInMemory();    // destroyed after the time is taken
        return threadCpuNs() - start;
    };
}

void addLibraries(Suite& suite, const GraphCase& graph, const GraphBenchOptions& options) {
    visitLibraries([&]<class Entry>(const Entry& entry) {
        if constexpr (requires(typename Entry::Library library) { library.copyInMemory(); }) {
            if (!options.hasContender(entry.name)) return;
            addWorker(suite, graph.name(), entry.name, [&] { return setUpCopy<Entry>(graph, entry.name); });
        }
    });
}

}    // namespace

void measureInMemory(const GraphBenchOptions& options) {
    const RatioTable table("ferry", "us", 1e3,
                           {{"limit", "ferry / limit", "ferry", "limit", RatioColumn::Goal::AtMost},
                            {"memcpy", "ferry / memcpy", "ferry", "memcpy", RatioColumn::Goal::AtMost},
                            {"arena", "ferry / arena", "ferry", "arena"},
                            {"mark", "ferry / mark", "ferry", "mark"},
                            {"arena, mark", "ferry / arena, mark", "ferry", "arena, mark"},
                            {"Boost", "Boost / ferry (goal)", "Boost", "ferry"},
                            {"cereal", "cereal / ferry", "cereal", "ferry"},
                            {"MEL", "MEL buffered / ferry (goal)", "MEL buffered", "ferry"},
                            {"MEL, arena", "MEL buffered / arena (goal)", "MEL buffered", "arena"}});
    table.printHead();
    for (const GraphCase& graph : graphCases(options.withLarge)) {
        if (!options.hasCase(graph.name())) continue;
        Suite suite;
        suite.declare(graph.name(), "allocate", goalsInMemory(graph));
        addLimits(suite, graph);
        addLibraries(suite, graph, options);
        suite.measure(options.rounds);
        table.printRow(suite.cases().front());
    }
}

}    // namespace bench
