#include <ferry/benchmarks/graph/GraphCase.hpp>

#include <bit>

#include <fmt/format.h>

namespace bench {

namespace {

using graphs::Shape;

bool isFull(const GraphCase& graph, int nodeCount) { return graph.shape == Shape::Full && graph.nodeCount == nodeCount; }

/// Whether the graph is large enough for the goals against MEL. These goals do not apply to graphs that fit into the nearest caches.
bool isLarge(const GraphCase& graph) {
    return graph.nodeCount >= (graph.shape == Shape::Full ? 512 : 1 << 14) || graph.shape == Shape::Random;
}

}    // namespace

std::string GraphCase::name() const {
    if (shape == Shape::Full) return fmt::format("{} {}", nameOf(shape), nodeCount);
    return fmt::format("{} 2^{}", nameOf(shape), std::bit_width(static_cast<unsigned>(nodeCount)) - 1);
}

std::vector<GraphCase> graphCases(bool withLarge) {
    std::vector<GraphCase> cases{{Shape::Full, 128}, {Shape::Full, 512}, {Shape::Full, 1024}, {Shape::Random, 1 << 10}};
    if (withLarge) cases.insert(cases.end(), {{Shape::Full, 2048}, {Shape::Random, 1 << 11}});
    for (const Shape shape : {Shape::Sparse, Shape::Ring, Shape::Tree}) {
        cases.insert(cases.end(), {{shape, 1 << 10}, {shape, 1 << 14}, {shape, 1 << 17}});
        if (withLarge) cases.push_back({shape, 1 << 20});
    }
    return cases;
}

std::vector<Goal> goalsInMemory(const GraphCase& graph) {
    std::vector<Goal> goals{{"Boost", isFull(graph, 1024) ? 10.0 : 1.0}};
    if (isLarge(graph)) goals.insert(goals.end(), {{"MEL", 8}, {"MEL, arena", 15}});
    return goals;
}

std::vector<Goal> goalsInFiles(const GraphCase& graph) {
    std::vector<Goal> goals{{"Boost", 1}};
    if (isFull(graph, 1024)) goals.push_back({"limit", 1.3});
    return goals;
}

std::vector<Goal> goalsBetweenRanks(const GraphCase& graph) {
    const bool isLong = graph.nodeCount == 1 << 17 && (graph.shape == Shape::Ring || graph.shape == Shape::Tree);
    return {{"Boost", isFull(graph, 1024) ? 10.0 : isLong ? 4.0 : 1.0}};
}

}    // namespace bench
