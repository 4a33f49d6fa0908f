#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include <ferry/examples/graph/Shapes.hpp>

namespace graphs {

/// A graph of one of the shapes, made node by node. A Node has an int `value`, which becomes its number.
/// A Node also has a vector `edges` of pointers to nodes, raw or shared.
///
/// Ownership: owns its nodes. The destructor removes shared pointers from the nodes, so that rings do not keep themselves alive.
template <class Node>
class DirectedGraph {
public:
    using Pointer = typename decltype(Node::edges)::value_type;

    DirectedGraph(Shape shape, int nodeCount) {
        for (int i = 0; i < nodeCount; ++i) {
            nodes_.push_back(Owner(new Node()));
            nodes_.back()->value = i;
        }
        EdgeLists lists(shape, nodeCount);
        for (const Owner& node : nodes_) {
            const std::vector<int>& edges = lists.next();
            node->edges.reserve(edges.size());
            for (const int end : edges) node->edges.push_back(pointerTo(nodes_[static_cast<std::size_t>(end)]));
        }
    }
    DirectedGraph(const DirectedGraph&) = delete;
    DirectedGraph& operator=(const DirectedGraph&) = delete;
    ~DirectedGraph() {
        for (const Owner& node : nodes_) node->edges.clear();
    }

    Pointer root() const { return pointerTo(nodes_.front()); }
    std::size_t nodeCount() const { return nodes_.size(); }
    std::size_t edgeCount() const {
        std::size_t count = 0;
        for (const Owner& node : nodes_) count += node->edges.size();
        return count;
    }

private:
    using Owner = std::conditional_t<std::is_pointer_v<Pointer>, std::unique_ptr<Node>, Pointer>;

    static Pointer pointerTo(const Owner& owner) {
        if constexpr (std::is_pointer_v<Pointer>) {
            return owner.get();
        } else {
            return owner;
        }
    }

    std::vector<Owner> nodes_;
};

}    // namespace graphs
