#include <memory>
#include <optional>
#include <string>

#include <mpi.h>

#include <ferry/benchmarks/graph/Libraries.hpp>
#include <ferry/benchmarks/graph/Limits.hpp>
#include <ferry/benchmarks/graph/Measurements.hpp>
#include <ferry/benchmarks/graph/RankWatch.hpp>
#include <ferry/benchmarks/support/RatioTable.hpp>

namespace bench {

namespace {

/// The cases of one graph: from rank 0 to rank 1, and by broadcast.
class RankCases {
public:
    RankCases(ferry::Connector& connector, const GraphCase& graph, const GraphBenchOptions& options)
        : connector_(connector),
          graph_(graph),
          options_(options) {
        suite_.declare(sending(), "MPI_Send", goalsBetweenRanks(graph));
        suite_.declare(broadcasting(), "MPI_Bcast", goalsBetweenRanks(graph));
    }

    Suite& measured() {
        addLimits();
        visitLibraries([this]<class Entry>(const Entry& entry) {
            if constexpr (requires(typename Entry::Library library) { library.receive(connector_); }) {
                if (options_.hasContender(entry.name)) addLibrary(entry.name, Entry::make(graph_));
            }
        });
        suite_.measure(options_.rounds);
        return suite_;
    }

private:
    std::string sending() const { return "send " + graph_.name(); }
    std::string broadcasting() const { return "broadcast " + graph_.name(); }

    void addLimits() {
        const auto limits = std::make_shared<GraphLimits>(graph_);
        suite_.addTimed(sending(), "limit", [this, limits] {
            return timeOnRanks([&] {
                const int count = static_cast<int>(limits->ints().size());
                return connector_.isMaster() ? MPI_Send(limits->ints().data(), count, MPI_INT32_T, 1, 0, MPI_COMM_WORLD)
                                             : MPI_Recv(limits->ints().data(), count, MPI_INT32_T, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            });
        });
        suite_.addTimed(broadcasting(), "limit", [limits] {
            return timeOnRanks(
                [&] { return MPI_Bcast(limits->ints().data(), static_cast<int>(limits->ints().size()), MPI_INT32_T, 0, MPI_COMM_WORLD); });
        });
    }

    template <class Library>
    void addLibrary(const std::string& name, const std::shared_ptr<Library>& library) {
        const auto send = [this, library] {
            std::optional<typename Library::Copy> copy;
            if (connector_.isMaster()) {
                library->send(connector_);
            } else {
                copy.emplace(library->receive(connector_));
            }
            return copy;
        };
        const auto broadcast = [this, library] { return library->broadcast(connector_); };
        const auto sent = send();
        const auto shared = broadcast();
        if (!connector_.isMaster()) {
            requireSame(*library, *sent, name);
            requireSame(*library, shared, name);
        }
        suite_.addTimed(sending(), name, [send] { return timeOnRanks(send); });
        suite_.addTimed(broadcasting(), name, [broadcast] { return timeOnRanks(broadcast); });
    }

    ferry::Connector& connector_;
    GraphCase graph_;
    const GraphBenchOptions& options_;
    Suite suite_;
};

}    // namespace

void measureBetweenRanks(ferry::Connector& connector, const GraphBenchOptions& options) {
    const RatioTable table("ferry", "us", 1e3,
                           {{"limit", "ferry / limit", "ferry", "limit", RatioColumn::Goal::AtMost},
                            {"arena", "ferry / arena", "ferry", "arena"},
                            {"arena, mark", "ferry / arena, mark", "ferry", "arena, mark"},
                            {"Boost", "Boost.MPI / ferry (goal)", "Boost", "ferry"},
                            {"MEL", "MEL / ferry", "MEL", "ferry"},
                            {"MEL buffered", "MEL buffered / ferry", "MEL buffered", "ferry"}},
                           RoundChoice::Least);
    if (connector.isMaster()) table.printHead();
    for (const GraphCase& graph : graphCases(options.withLarge)) {
        if (!options.hasCase(graph.name())) continue;
        RankCases cases(connector, graph, options);
        for (const Case& one : cases.measured().cases()) {
            if (connector.isMaster()) table.printRow(one);
        }
    }
}

}    // namespace bench
