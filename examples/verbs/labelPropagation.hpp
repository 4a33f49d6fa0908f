#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <ferry/connector.hpp>
#include <ferry/examples/verbs/BlockGraph.hpp>

namespace verbs {

using PairsByRank = std::map<int, std::vector<std::pair<Vertex, Vertex>>>;

/// Returns the label that most of the labels are, and of several such labels the smallest.
inline Vertex mostFrequent(std::vector<Vertex> labels) {
    std::map<Vertex, int> counts;
    for (const Vertex label : labels) ++counts[label];
    return std::max_element(counts.begin(), counts.end(), [](const auto& one, const auto& other) { return one.second < other.second; })
        ->first;
}

/// Finds clusters of at most maxSize vertices. In each round every vertex asks for the label of most of its neighbours. The owner of the
/// label admits vertices in the order of their numbers, as long as there is room. Returns the label of each vertex of this rank.
/// Collective: each rank calls it with its block of the graph. The result is the same for any number of ranks.
inline std::vector<Vertex> labelPropagation(ferry::Connector& c, const BlockGraph& graph, long maxSize, int roundCount) {
    std::vector<Vertex> labels(graph.ownCount());
    std::iota(labels.begin(), labels.end(), graph.begin());
    std::vector<long> sizes(graph.ownCount(), 1);    // of the clusters with the labels of own vertices
    std::map<int, std::vector<Vertex>> needed;       // foreign and own vertices whose labels are needed, by owner
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (const Vertex neighbour : graph.neighboursOf(graph.begin() + static_cast<Vertex>(i)))
            needed[graph.ownerOf(neighbour)].push_back(neighbour);
    }
    const std::map<int, std::vector<Vertex>> asked = c.sparseAllToAll(needed);
    for (int round = 0; round < roundCount; ++round) {
        PairsByRank known, wishes, admitted, left;
        for (const auto& [rank, vertices] : asked) {
            for (const Vertex vertex : vertices) known[rank].push_back({vertex, labels[graph.placeOf(vertex)]});
        }
        std::map<Vertex, Vertex> labelOf;
        for (const auto& [vertex, label] : ferry::flat(c.sparseAllToAll(known))) labelOf[vertex] = label;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            const Vertex vertex = graph.begin() + static_cast<Vertex>(i);
            std::vector<Vertex> around;
            for (const Vertex neighbour : graph.neighboursOf(vertex)) around.push_back(labelOf[neighbour]);
            const Vertex wish = mostFrequent(around);
            if (wish != labels[i]) wishes[graph.ownerOf(wish)].push_back({vertex, wish});
        }
        auto asking = ferry::flat(c.sparseAllToAll(wishes));
        std::sort(asking.begin(), asking.end());
        for (const auto& [vertex, label] : asking) {
            long& size = sizes[graph.placeOf(label)];
            if (size < maxSize) ++size, admitted[graph.ownerOf(vertex)].push_back({vertex, label});
        }
        for (const auto& [vertex, label] : ferry::flat(c.sparseAllToAll(admitted))) {
            const Vertex old = std::exchange(labels[graph.placeOf(vertex)], label);
            left[graph.ownerOf(old)].push_back({vertex, old});
        }
        for (const auto& [vertex, label] : ferry::flat(c.sparseAllToAll(left))) --sizes[graph.placeOf(label)];
    }
    return labels;
}

}    // namespace verbs
