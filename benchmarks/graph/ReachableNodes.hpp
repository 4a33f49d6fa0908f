#pragma once

#include <memory>

#include <ferry/examples/graph/GraphWalk.hpp>

namespace bench {

/// Deletes all nodes that are reached from the root through raw pointers. The nodes must have no other owner.
struct DeleteReachable {
    template <class Node>
    void operator()(Node* root) const {
        for (Node* node : graphs::nodesFrom(root)) delete node;
    }
};

template <class Node>
using ReachableNodes = std::unique_ptr<Node, DeleteReachable>;

/// Holds a graph of shared pointers. The destructor clears the pointers in all nodes. Otherwise rings would keep themselves alive, and the
/// nodes of long chains would be destroyed one inside the other.
template <class Node>
class SharedNodes {
public:
    explicit SharedNodes(std::shared_ptr<Node> root) : root_(std::move(root)) {}
    SharedNodes(SharedNodes&&) noexcept = default;
    SharedNodes& operator=(SharedNodes&&) = delete;
    ~SharedNodes() {
        if (!root_) return;
        for (const std::shared_ptr<Node>& node : graphs::nodesFrom(root_)) node->edges.clear();
    }

    Node* root() const { return root_.get(); }

private:
    std::shared_ptr<Node> root_;
};

}    // namespace bench
