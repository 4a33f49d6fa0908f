#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <ferry/benchmarks/graph/Libraries.hpp>
#include <ferry/benchmarks/graph/Limits.hpp>
#include <ferry/benchmarks/graph/Measurements.hpp>
#include <ferry/benchmarks/support/RatioTable.hpp>
#include <ferry/benchmarks/support/Worker.hpp>

namespace bench {

namespace {

/// Waits until a file is on the disk. Ferry and the limit do so themselves. The other contenders need this call for a fair comparison.
void flushToDisk(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 || fsync(file) != 0) throw std::system_error(errno, std::generic_category(), path);
    close(file);
}

class FileCases {
public:
    FileCases(const GraphCase& graph, const GraphBenchOptions& options) : graph_(graph), options_(options) {
        suite_.declare(saving(), "write, fsync", goalsInFiles(graph));
        suite_.declare(loading(), "");
    }

    Suite& measured() {
        addWorker(saving(), "limit", [this] { return setUpLimit(); });
        visitLibraries([this]<class Entry>(const Entry& entry) {
            if constexpr (requires(typename Entry::Library library, std::string path) { library.load(path); }) {
                if (!options_.hasContender(entry.name)) return;
                addWorker(saving(), entry.name, [&] { return setUpSave<Entry>(entry.name); });
                addWorker(loading(), entry.name, [&] { return setUpLoad<Entry>(entry.name); });
            }
        });
        suite_.measure(options_.rounds);
        return suite_;
    }

private:
    std::string saving() const { return "save " + graph_.name(); }
    std::string loading() const { return "load " + graph_.name(); }
    std::string pathFor(const std::string& contender) const { return options_.folder + "/benchGraph-" + contender; }

    /// Adds a contender that runs in a process of its own.
    void addWorker(const std::string& caseName, const std::string& name, const std::function<Worker::Operation()>& setUp) {
        const auto worker = std::make_shared<Worker>(name, setUp);
        suite_.addTimed(caseName, name, [worker] { return worker->runOnce(); });
    }

    Worker::Operation setUpLimit() const {
        return [limits = std::make_shared<GraphLimits>(graph_), path = pathFor("limit")] {
            const double start = wallNs();
            limits->writeFile(path);
            return wallNs() - start;
        };
    }

    template <class Entry>
    Worker::Operation setUpSave(const std::string& name) const {
        return [library = Entry::make(graph_), path = pathFor(name)] {
            const double start = wallNs();
            library->save(path);
            if constexpr (!Entry::Library::flushesFiles) flushToDisk(path);
            return wallNs() - start;
        };
    }

    template <class Entry>
    Worker::Operation setUpLoad(const std::string& name) const {
        const auto library = Entry::make(graph_);
        const std::string path = pathFor(name);
        library->save(path);
        requireSame(*library, library->load(path), name);
        return [library, path] {
            const double start = wallNs();
            const auto copy = library->load(path);
            return wallNs() - start;
        };
    }

    GraphCase graph_;
    const GraphBenchOptions& options_;
    Suite suite_;
};

}    // namespace

void measureInFiles(const GraphBenchOptions& options) {
    const RatioTable table("ferry", "us", 1e3,
                           {{"limit", "ferry / limit (goal)", "ferry", "limit", RatioColumn::Goal::AtMost},
                            {"Boost", "Boost / ferry (goal)", "Boost", "ferry"},
                            {"cereal", "cereal / ferry", "cereal", "ferry"},
                            {"MEL", "MEL / ferry", "MEL", "ferry"}});
    table.printHead();
    for (const GraphCase& graph : graphCases(options.withLarge)) {
        if (!options.hasCase(graph.name())) continue;
        FileCases cases(graph, options);
        for (const Case& one : cases.measured().cases()) table.printRow(one);
    }
}

}    // namespace bench
