// Finds the distance of all vertices of a graph from one vertex. Each rank has a block of the vertices.
//     mpirun -np 4 build/release/bin/breadthFirstSearch
//     build/release/bin/breadthFirstSearch            the ranks are threads
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/examples/verbs/breadthFirstSearch.hpp>

namespace {

using verbs::Vertex;

constexpr long vertexCount = 20'000;
constexpr Vertex source = 17;

/// Computes the same distances on one rank alone.
std::vector<int> distancesHere() {
    const verbs::BlockGraph graph(vertexCount, 0, 1);
    std::vector<int> distances(graph.ownCount(), verbs::notReached);
    distances[source] = 0;
    for (std::deque<Vertex> open{source}; !open.empty(); open.pop_front()) {
        const Vertex vertex = open.front();
        for (const Vertex neighbour : graph.neighboursOf(vertex)) {
            if (distances[neighbour] != verbs::notReached) continue;
            distances[neighbour] = distances[vertex] + 1;
            open.push_back(neighbour);
        }
    }
    return distances;
}

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{4});
    return application.runOnAll([](ferry::Connector& c) {
        const verbs::BlockGraph graph(vertexCount, c.rank(), c.size());
        const std::vector<int> distances = c.gather(verbs::breadthFirstSearch(c, graph, source));
        const bool isRight = c.broadcast(c.isMaster() && distances == distancesHere());
        if (c.isMaster()) {
            std::printf("%zu vertices, the farthest %d steps away: %s\n", distances.size(),
                        *std::max_element(distances.begin(), distances.end()), isRight ? "right" : "wrong");
        }
        return isRight ? 0 : 1;
    });
}
