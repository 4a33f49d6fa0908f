#pragma once

#include <string>
#include <vector>

#include <ferry/benchmarks/support/Suite.hpp>
#include <ferry/examples/graph/Shapes.hpp>

namespace bench {

/// A graph to measure, and its name in the tables.
struct GraphCase {
    graphs::Shape shape = graphs::Shape::Full;
    int nodeCount = 0;

    std::string name() const;
};

/// The graphs of the tables. Full graphs have 128 to 1024 nodes, random graphs 2^10 nodes. Sparse graphs, rings and trees have 2^10 to 2^17
/// nodes. The option withLarge adds a full graph of 2048 nodes, a random graph of 2^11 nodes, and the other shapes with 2^20 nodes.
std::vector<GraphCase> graphCases(bool withLarge);

// The goals of the cases of a graph.
std::vector<Goal> goalsInMemory(const GraphCase& graph);
std::vector<Goal> goalsInFiles(const GraphCase& graph);
std::vector<Goal> goalsBetweenRanks(const GraphCase& graph);

}    // namespace bench
