#pragma once

#include <array>
#include <random>
#include <string_view>
#include <vector>

namespace graphs {

/// Kinds of directed graphs. Every node can be reached from node 0.
enum class Shape {
    Full,      ///< every node points to every node, itself included
    Random,    ///< every node points to the next one and to a random number of others, half of all nodes on average
    Sparse,    ///< every node points to the next one and to three others
    Ring,      ///< every node points to the next one and to the previous one
    Tree,      ///< a binary tree, edges away from the root
};

inline constexpr std::array<Shape, 5> allShapes{Shape::Full, Shape::Random, Shape::Sparse, Shape::Ring, Shape::Tree};

std::string_view nameOf(Shape shape);

/// The edges of a graph, node by node. Graphs of the same shape and size have the same edges on every machine.
class EdgeLists {
public:
    EdgeLists(Shape shape, int nodeCount) : shape_(shape), nodeCount_(nodeCount) {}

    /// Returns the end nodes of the edges of the next node. Call this once for each node, in order. The result is valid until the next
    /// call.
    const std::vector<int>& next();

private:
    void addOthers(int count);

    Shape shape_;
    int nodeCount_;
    int node_ = -1;
    std::mt19937_64 random_{1};
    std::vector<int> edges_;
};

}    // namespace graphs
