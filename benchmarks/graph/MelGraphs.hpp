#pragma once

// For users who have MEL (-DFERRY_MEL_INCLUDE=...). MEL is not part of Ferry.

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <MEL.hpp>
#include <MEL_deepcopy.hpp>

#include <ferry/benchmarks/graph/GraphCase.hpp>
#include <ferry/benchmarks/graph/Nodes.hpp>
#include <ferry/examples/graph/DirectedGraph.hpp>
#include <ferry/examples/graph/GraphWalk.hpp>

namespace bench {

/// A node in the form that MEL requires. MEL sends the memory of a node. The node must name the objects to which it points.
struct MelNode {
    int value = 0;
    std::vector<MelNode*> edges;

    template <class Message>
    void DeepCopy(Message& message) {    // NOLINT: the name is MEL's
        message& edges;
        for (MelNode*& end : edges) message.packSharedPtr(end);
    }
};

/// Destroys the nodes that MEL has made.
struct DestructReachable {
    void operator()(MelNode* root) const {
        for (MelNode* node : graphs::nodesFrom(root)) MEL::MemDestruct(node);
    }
};

/// Keeps MPI initialised as long as MEL is used, since MEL allocates memory through MPI. Does nothing if MPI is already initialised.
class MpiForMel {
public:
    MpiForMel() {
        int isThere = 0;
        MPI_Initialized(&isThere);
        isOwn_ = isThere == 0;
        if (isOwn_) MPI_Init(nullptr, nullptr);
    }
    MpiForMel(const MpiForMel&) = delete;
    MpiForMel& operator=(const MpiForMel&) = delete;
    ~MpiForMel() {
        if (isOwn_) MPI_Finalize();
    }

private:
    bool isOwn_ = false;
};

/// How MEL moves a graph. Direct: node by node. Buffered: packed into one buffer, after a first pass that counts its bytes.
enum class MelWay { Direct, Buffered };

/// Copies graphs with MEL. In memory only the buffered way exists: the counting pass, packing, and reading.
template <MelWay Way>
class MelGraphs {
public:
    using Node = MelNode;
    using Copy = std::unique_ptr<Node, DestructReachable>;
    static constexpr bool flushesFiles = false;

    explicit MelGraphs(const GraphCase& graph) : original_(graph.shape, graph.nodeCount) {}

    Node* original() const { return original_.root(); }
    static Node* rootOf(const Copy& copy) { return copy.get(); }

    Copy copyInMemory() requires(Way == MelWay::Buffered) {
        Node* root = original();
        const int byteCount = MEL::Deep::BufferSize(root);
        char* buffer = MEL::MemAlloc<char>(byteCount);
        MEL::Deep::Message<MEL::Deep::TransportBufferWrite> out(buffer, byteCount);
        out.packRootPtr(root);
        MEL::Deep::Message<MEL::Deep::TransportBufferRead> in(buffer, byteCount);
        Node* copy = somewhere();
        in.packRootPtr(copy);
        MEL::MemFree(buffer);
        return Copy(copy);
    }

    void save(const std::string& path) const requires(Way == MelWay::Direct) {
        std::ofstream file(path, std::ios::binary);
        Node* root = original();
        MEL::Deep::FileWrite(root, file);
    }
    Copy load(const std::string& path) const requires(Way == MelWay::Direct) {
        std::ifstream file(path, std::ios::binary);
        Node* root = nullptr;
        MEL::Deep::FileRead(root, file);
        return Copy(root);
    }

    void send(ferry::Connector&) const {
        Node* root = original();
        if constexpr (Way == MelWay::Direct) {
            MEL::Deep::Send(root, 1, 0, world());
        } else {
            MEL::Deep::BufferedSend(root, 1, 0, world());
        }
    }
    Copy receive(ferry::Connector&) const {
        Node* root = nullptr;
        if constexpr (Way == MelWay::Direct) {
            MEL::Deep::Recv(root, 0, 0, world());
        } else {
            MEL::Deep::BufferedRecv(root, 0, 0, world());
        }
        return Copy(root);
    }
    Copy broadcast(ferry::Connector& connector) const {
        Node* root = connector.isMaster() ? original() : nullptr;
        if constexpr (Way == MelWay::Direct) {
            MEL::Deep::Bcast(root, 0, world());
        } else {
            MEL::Deep::BufferedBcast(root, 0, world());
        }
        return Copy(connector.isMaster() ? nullptr : root);
    }

private:
    static MEL::Comm world() { return MEL::Comm(MPI_COMM_WORLD); }
    /// Returns any pointer that is not null, because MEL reads only into such pointers.
    static Node* somewhere() {
        static Node node;
        return &node;
    }

    MpiForMel mpi_;
    graphs::DirectedGraph<Node> original_;
};

}    // namespace bench
