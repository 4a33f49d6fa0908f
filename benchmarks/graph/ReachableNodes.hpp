#pragma once

#include <memory>

#include <ferry/examples/graph/GraphWalk.hpp>

namespace bench {

/// Deletes a graph of raw pointers that nobody else owns, with all that can be reached from its root.
struct DeleteReachable {
    template <class Node>
    void operator()(Node* root) const {
        for (Node* node : graphs::nodesFrom(root)) delete node;
    }
};

template <class Node>
using ReachableNodes = std::unique_ptr<Node, DeleteReachable>;

/// A graph of shared pointers. Takes the pointers out of the nodes at the end, so that rings do not keep themselves alive, and long chains
/// do not end one within the other.
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
