#pragma once

#include <fstream>
#include <string>

#include <boost/archive/binary_iarchive.hpp>
#include <boost/archive/binary_oarchive.hpp>
#include <boost/serialization/vector.hpp>

#include <ferry/benchmarks/graph/GraphCase.hpp>
#include <ferry/benchmarks/graph/Nodes.hpp>
#include <ferry/benchmarks/graph/ReachableNodes.hpp>
#include <ferry/benchmarks/support/MemoryStreambuf.hpp>
#include <ferry/examples/graph/DirectedGraph.hpp>

#ifdef FERRY_BENCH_BOOST_MPI
#include <boost/mpi.hpp>
#endif

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, bench::PlainNode& node, unsigned /*version*/) {
    archive& node.value;
    archive& node.edges;
}

}    // namespace boost::serialization

namespace bench {

/// Boost.Serialization with raw pointers, which it tracks, and Boost.MPI as the transport.
class BoostGraphs {
public:
    using Node = PlainNode;
    using Copy = ReachableNodes<Node>;
    static constexpr bool flushesFiles = false;

    explicit BoostGraphs(const GraphCase& graph) : original_(graph.shape, graph.nodeCount) {}

    Node* original() const { return original_.root(); }
    static Node* rootOf(const Copy& copy) { return copy.get(); }

    Copy copyInMemory() {
        memory_.rewindToWrite();
        {
            boost::archive::binary_oarchive archive(memory_);
            const Node* const root = original();
            archive << root;
        }
        memory_.rewindToRead();
        return read(memory_);
    }

    void save(const std::string& path) const {
        std::ofstream file(path, std::ios::binary);
        boost::archive::binary_oarchive archive(file);
        const Node* const root = original();
        archive << root;
    }
    static Copy load(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        return read(file);
    }

#ifdef FERRY_BENCH_BOOST_MPI
    void send(ferry::Connector&) const {
        const Node* const root = original();
        world_.send(1, 0, root);
    }
    Copy receive(ferry::Connector&) const {
        Node* root = nullptr;
        world_.recv(0, 0, root);
        return Copy(root);
    }
    Copy broadcast(ferry::Connector& connector) const {
        Node* root = connector.isMaster() ? original() : nullptr;
        boost::mpi::broadcast(world_, root, 0);
        return Copy(connector.isMaster() ? nullptr : root);
    }
#endif

private:
    template <class Source>
    static Copy read(Source& source) {
        Node* root = nullptr;
        boost::archive::binary_iarchive archive(source);
        archive >> root;
        return Copy(root);
    }

    graphs::DirectedGraph<Node> original_;
    MemoryStreambuf memory_;
#ifdef FERRY_BENCH_BOOST_MPI
    boost::mpi::communicator world_;
#endif
};

}    // namespace bench
