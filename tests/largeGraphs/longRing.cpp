// Copies a ring of NODES nodes through one stream. The test runs with a stack of any size, because no code may recurse.
//
// usage: ferryLongRing NODES
//
// Prints the time and memory. Exit status 1 when the copy is wrong, or when packing and unpacking took too much memory:
// more than three times the stream, besides the rings themselves.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include <ferry/serialization/Fields.hpp>
#include <ferry/serialization/graph/Graph.hpp>
#include <ferry/serialization/graph/GraphReader.hpp>
#include <ferry/serialization/graph/GraphRoot.hpp>
#include <ferry/serialization/graph/GraphWriter.hpp>
#include <ferry/tests/largeGraphs/ProcessMemory.hpp>

namespace {

struct Node {
    int value = 0;
    std::vector<Node*> edges;
    FERRY_FIELDS(value, edges)
};

/// Collects the whole stream in one piece.
class WholeStream final : public ferry::detail::ChunkSink {
public:
    ferry::IntBuffer begin() override { return {}; }
    void put(ferry::IntBuffer chunk, bool) override { ints = std::move(chunk); }
    ferry::IntBuffer ints;
};

bool isRing(const Node* root, std::size_t count) {
    const Node* node = root;
    for (std::size_t i = 0; i < count; ++i, node = node->edges.at(0)) {
        if (node->value != static_cast<int>(i)) return false;
    }
    return node == root;
}

}    // namespace

int main(int argc, char** argv) {
    const std::size_t count = argc == 2 ? std::strtoull(argv[1], nullptr, 10) : 0;
    if (count == 0) {
        std::fprintf(stderr, "usage: ferryLongRing NODES\n");
        return 2;
    }
    std::vector<Node> ring(count);
    for (std::size_t i = 0; i < count; ++i) {
        ring[i].value = static_cast<int>(i);
        ring[i].edges = {&ring[(i + 1) % count]};
    }

    const std::size_t before = ferry::test::residentBytes();
    ferry::test::resetPeak();
    std::size_t streamBytes = 0;
    ferry::Graph<Node> copy;
    {
        WholeStream stream;
        ferry::detail::GraphWriter(stream).write(ferry::graph(ring.data(), std::size_t{1} << 60));
        streamBytes = stream.ints.size() * sizeof(std::int32_t);
        ferry::detail::GraphReader<Node> reader;
        reader.read(stream.ints.ints(), true);
        copy = reader.take();
    }
    const std::size_t peak = ferry::test::peakResidentBytes();
    // Memory of malloc for a node and for the pointer of its vector. Each block has 8 bytes of malloc's own, and sizes are multiples of
    // 16.
    const std::size_t copyBytes = count * ((sizeof(Node) + 8 + 15) / 16 * 16 + 32);
    const double extra = static_cast<double>(peak) - static_cast<double>(before + copyBytes);
    const double ratio = extra / static_cast<double>(streamBytes);
    std::printf("ring of %zu nodes: stream %.1f MB, memory besides the rings at most %.1f MB, %.2f times the stream\n", count,
                static_cast<double>(streamBytes) / 1e6, extra / 1e6, ratio);
    if (!isRing(copy.root(), count)) {
        std::printf("the copy is no such ring\n");
        return 1;
    }
    return ratio <= 3 ? 0 : 1;
}
