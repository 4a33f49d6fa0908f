#pragma once

#include <unordered_map>
#include <vector>

#include <ferry/connector.hpp>
#include <ferry/examples/verbs/BlockGraph.hpp>

namespace verbs {

constexpr int notReached = -1;

/// Returns the number of edges between the source and each vertex of this rank.
/// Collective: each rank calls it with its block of the graph.
inline std::vector<int> breadthFirstSearch(ferry::Connector& c, const BlockGraph& graph, Vertex source) {
    std::vector<int> distances(graph.ownCount(), notReached);
    std::vector<Vertex> reached;    // own vertices
    if (graph.ownerOf(source) == c.rank()) reached = {source};
    for (int distance = 0; c.allReduce(!reached.empty(), ferry::Or{}); ++distance) {
        std::unordered_map<int, std::vector<Vertex>> next;    // indexed by owner
        for (const Vertex vertex : reached) {
            int& known = distances[graph.placeOf(vertex)];
            if (known != notReached) continue;
            known = distance;
            for (const Vertex neighbour : graph.neighboursOf(vertex)) next[graph.ownerOf(neighbour)].push_back(neighbour);
        }
        reached = ferry::flat(c.sparseAllToAll(next));
    }
    return distances;
}

}    // namespace verbs
