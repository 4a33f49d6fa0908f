#pragma once

#include <fstream>
#include <istream>
#include <memory>
#include <ostream>
#include <string>

#include <cereal/archives/binary.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/vector.hpp>

#include <ferry/benchmarks/graph/GraphCase.hpp>
#include <ferry/benchmarks/graph/Nodes.hpp>
#include <ferry/benchmarks/graph/ReachableNodes.hpp>
#include <ferry/benchmarks/support/MemoryStreambuf.hpp>
#include <ferry/examples/graph/DirectedGraph.hpp>

namespace bench {

template <class Archive>
void serialize(Archive& archive, SharedNode& node) {
    archive(node.value, node.edges);
}

/// cereal with shared pointers, because cereal does not support raw pointers.
class CerealGraphs {
public:
    using Node = SharedNode;
    using Copy = SharedNodes<Node>;
    static constexpr bool flushesFiles = false;

    explicit CerealGraphs(const GraphCase& graph) : original_(graph.shape, graph.nodeCount) {}

    std::shared_ptr<Node> original() const { return original_.root(); }
    static Node* rootOf(const Copy& copy) { return copy.root(); }

    Copy copyInMemory() {
        memory_.rewindToWrite();
        std::ostream out(&memory_);
        cereal::BinaryOutputArchive archive(out);
        archive(original_.root());
        memory_.rewindToRead();
        std::istream in(&memory_);
        return read(in);
    }

    void save(const std::string& path) const {
        std::ofstream file(path, std::ios::binary);
        cereal::BinaryOutputArchive archive(file);
        archive(original_.root());
    }
    static Copy load(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return read(file);
    }

private:
    static Copy read(std::istream& in) {
        std::shared_ptr<Node> root;
        cereal::BinaryInputArchive archive(in);
        archive(root);
        return Copy(std::move(root));
    }

    graphs::DirectedGraph<Node> original_;
    MemoryStreambuf memory_;
};

}    // namespace bench
