#pragma once

#include <string>
#include <vector>

#include <ferry/benchmarks/support/Suite.hpp>
#include <ferry/examples/graph/Shapes.hpp>

namespace bench {

/// A graph to measure with, and what the tables call it.
struct GraphCase {
    graphs::Shape shape = graphs::Shape::Full;
    int nodeCount = 0;

    std::string name() const;
};

/// The graphs of the tables: full ones of 128 to 2048 nodes, random ones of 2^10 and 2^11, sparse ones, rings and trees of 2^10 to 2^17;
/// with the large ones to 2^20.
std::vector<GraphCase> graphCases(bool withLarge);

// What is to be reached.
std::vector<Goal> goalsInMemory(const GraphCase& graph);
std::vector<Goal> goalsInFiles(const GraphCase& graph);
std::vector<Goal> goalsBetweenRanks(const GraphCase& graph);

}    // namespace bench
