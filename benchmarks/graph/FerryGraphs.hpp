#pragma once

#include <string>

#include <ferry/benchmarks/graph/GraphCase.hpp>
#include <ferry/benchmarks/graph/Nodes.hpp>
#include <ferry/examples/graph/DirectedGraph.hpp>

namespace bench {

/// Ferry's ways to copy a graph. Every contender has those of these members that its library supports.
template <class Node>
class FerryGraphs {
public:
    using Copy = ferry::Graph<Node>;
    static constexpr bool flushesFiles = true;

    explicit FerryGraphs(const GraphCase& graph, ferry::GraphMemory memory = ferry::GraphMemory::Heap)
        : original_(graph.shape, graph.nodeCount),
          memory_(memory) {}

    Node* original() const { return original_.root(); }
    static Node* rootOf(const Copy& copy) { return copy.root(); }

    Copy copyInMemory() { return ferry::copyGraph(original(), memory_); }

    void save(const std::string& path) const { ferry::saveGraph(path, original()); }
    Copy load(const std::string& path) const { return ferry::loadGraph<Node>(path, memory_); }

    /// The calls of the two ranks. The copy is made on rank 1.
    void send(ferry::Connector& connector) const {
        connector.send(1, ferry::graph(original()));
        connector.flush();
    }
    Copy receive(ferry::Connector& connector) const { return connector.receiveGraph<Node>(0, memory_); }
    Copy broadcast(ferry::Connector& connector) const {
        return connector.broadcastGraph(ferry::graph(connector.isMaster() ? original() : nullptr), 0, memory_);
    }

private:
    graphs::DirectedGraph<Node> original_;
    ferry::GraphMemory memory_;
};

}    // namespace bench
