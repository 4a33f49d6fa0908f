// Each rank makes directed graphs, sends them to the next rank, and checks what it gets.
//     mpirun -np 4 build/release/bin/graph
//     build/release/bin/graph --nodes 1000         the ranks are threads
#include <cstdio>

#include <CLI/CLI.hpp>
#include <ferry/ferry.hpp>

#include <ferry/examples/graph/DirectedGraph.hpp>
#include <ferry/examples/graph/GraphWalk.hpp>
#include <ferry/examples/graph/Shapes.hpp>

namespace {

struct Node {
    FERRY_FIELDS(value, edges)    // these two members are all that a node needs to travel
    int value = 0;
    std::vector<Node*> edges;
};

/// Returns the number of graphs that this rank received with a difference.
int exchangeGraphs(ferry::Connector& connector, int nodeCount) {
    const int next = (connector.rank() + 1) % connector.size();
    const int previous = (connector.rank() + connector.size() - 1) % connector.size();
    int damaged = 0;
    for (const graphs::Shape shape : graphs::allShapes) {
        const graphs::DirectedGraph<Node> own(shape, nodeCount);
        connector.send(next, ferry::graph(own.root()));
        const ferry::Graph<Node> arrived = connector.receiveGraph<Node>(previous);    // owns its nodes
        const bool isWhole = graphs::areSame(own.root(), arrived.root());
        if (!isWhole) ++damaged;
        if (connector.isMaster())
            std::printf("%s: %zu nodes and %zu edges %s\n", graphs::nameOf(shape).data(), own.nodeCount(), own.edgeCount(),
                        isWhole ? "arrived" : "did not arrive as they were");
    }
    return damaged;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{2});
    CLI::App commandLine("Sends directed graphs from rank to rank.", "graph");
    int nodeCount = 256;
    commandLine.add_option("--nodes", nodeCount, "Nodes of each graph")->check(CLI::Range(1, 10'000))->capture_default_str();
    try {
        commandLine.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return application.connector().isMaster() ? commandLine.exit(error) : error.get_exit_code();
    }
    return application.runOnAll([&](ferry::Connector& connector) { return exchangeGraphs(connector, nodeCount) == 0 ? 0 : 1; });
}
