#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ferry/ferry.hpp>

#include <ferry/benchmarks/graph/GraphCase.hpp>
#include <ferry/benchmarks/graph/Nodes.hpp>

namespace bench {

/// The bytes of Ferry's stream of a graph, and the work that no copy of the graph can avoid.
class GraphLimits {
public:
    explicit GraphLimits(const GraphCase& graph);

    /// Allocates the memory of all nodes and their edges, and sets it to zero. Destroy the result after the time is taken.
    std::vector<std::unique_ptr<PlainNode>> allocate() const;
    /// Copies the bytes.
    void copyBytes();
    /// Writes the bytes to a file, and waits until they are on the disk. Errors: std::system_error.
    void writeFile(const std::string& path) const;
    /// Returns the bytes, for a transfer.
    std::vector<std::int32_t>& ints() { return ints_; }

private:
    std::vector<std::size_t> edgeCounts_;    ///< number of edges of each node
    std::vector<std::int32_t> ints_;
    std::vector<std::int32_t> copy_;
};

/// A sink that keeps all pieces of a graph.
class CollectingSink final : public ferry::detail::ChunkSink {
public:
    ferry::IntBuffer begin() override { return {}; }
    void put(ferry::IntBuffer chunk, bool isLast) override;

    std::vector<std::int32_t> ints;
};

/// Returns Ferry's stream of a graph.
template <class Node>
std::vector<std::int32_t> streamOf(const Node* root) {
    CollectingSink sink;
    ferry::detail::GraphWriter(sink).write(ferry::graph(root));
    return std::move(sink.ints);
}

}    // namespace bench
