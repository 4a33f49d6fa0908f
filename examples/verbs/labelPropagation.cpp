// Finds clusters of a graph that have a limited size. Each rank has a block of the vertices.
//     mpirun -np 4 build/release/bin/labelPropagation
//     build/release/bin/labelPropagation              the ranks are threads
#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/examples/verbs/labelPropagation.hpp>

namespace {

constexpr long vertexCount = 5'000;
constexpr long maxSize = 20;

}    // namespace

int main(int argc, char** argv) {
    ferry::Application application(argc, argv, ferry::ThreadRanks{4});
    return application.runOnAll([](ferry::Connector& c) {
        const verbs::BlockGraph graph(vertexCount, c.rank(), c.size());
        const std::vector<verbs::Vertex> labels = c.gather(verbs::labelPropagation(c, graph, maxSize, 8));
        if (!c.isMaster()) return;
        std::map<verbs::Vertex, long> sizes;
        for (const verbs::Vertex label : labels) ++sizes[label];
        long largest = 0;
        for (const auto& [label, size] : sizes) largest = std::max(largest, size);
        std::printf("%zu vertices in %zu clusters of at most %ld\n", labels.size(), sizes.size(), largest);
    });
}
